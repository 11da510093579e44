import Linux
import WhorlClient

/// Commands that are programs of their own, for what this one leaves out to start in no time.
enum Helper {
  /// Becomes the program, which gets the words as they were typed, unless somebody else could have
  /// put it where it is.
  static func replace(_ name: String, _ words: [[UInt8]]) throws(CommandError) -> Int32 {
    let variables: [UInt8] = []
    if let path = HelperProcess.find(name) {
      _ = ProgramReplacement.execute([path] + words, adding: variables.span)
    }
    throw CommandError(
      status: 127, "\(name) is not installed, or others can write to it",
      advice: ["“whorl doctor” checks the installation."])
  }
}
