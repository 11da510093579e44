import Linux
import SecretMemory

/// Where words go: answers to the standard output, everything else to the standard error.
enum Output {
  static func print(_ text: String) throws(CommandError) {
    let line = text.hasSuffix("\n") ? text : text + "\n"
    guard BlockingStream.standardOutput.write(line) else { throw unwritable }
  }

  private static let unwritable = CommandError(
    status: 1, "cannot write to the standard output")

  /// Before anybody is asked for what could not be written then.
  static func requireWritable() throws(CommandError) {
    guard BlockingStream.standardOutput.isWritable else { throw unwritable }
  }

  static func error(_ line: String) {
    BlockingStream.standardError.write(line + "\n")
  }

  static func complain(_ message: String) {
    error("whorl: " + message)
  }

  /// Writes a secret from where it is.
  static func write(_ secret: SecretBytes) throws(CommandError) {
    guard secret.withBytes({ BlockingStream.standardOutput.write($0) }) else {
      throw unwritable
    }
  }

  static func write(_ bytes: [UInt8]) throws(CommandError) {
    guard BlockingStream.standardOutput.write(bytes.span) else { throw unwritable }
  }
}
