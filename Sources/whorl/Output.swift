import Linux
import SecretMemory

/// Where words go: answers to the standard output, everything else to the standard error.
enum Output {
  static func print(_ text: String) {
    BlockingStream.standardOutput.write(text.hasSuffix("\n") ? text : text + "\n")
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
      throw CommandError(status: 1, "cannot write to the standard output")
    }
  }

  static func write(byte: UInt8) throws(CommandError) {
    guard BlockingStream.standardOutput.write([byte].span) else {
      throw CommandError(status: 1, "cannot write to the standard output")
    }
  }
}
