import Linux
import WhorlClient

/// Commands that are programs of their own, for what this one leaves out to start in no time.
enum Helper {
  /// Becomes the program, which gets the words as they were typed.
  ///
  /// It is found from where this executable is, never by PATH or a variable, which others may set:
  /// in `../libexec/whorl`, or beside it where both were built.
  static func replace(_ name: String, _ words: [[UInt8]]) throws(CommandError) -> Int32 {
    let slash = UInt8(ascii: "/")
    guard let own = OwnProcess.executable, let end = own.lastIndex(of: slash) else {
      throw CommandError(status: 126, "the place of this program is not known")
    }
    let folder = Array(own[...end])
    let variables: [UInt8] = []
    let installed = folder + Array("../libexec/whorl/\(name)".utf8)
    for path in [installed, folder + Array(name.utf8)] {
      _ = ProgramReplacement.execute([path] + words, adding: variables.span)
    }
    throw CommandError(
      status: 127, "\(name) is missing", advice: ["“whorl doctor” checks the installation."])
  }
}
