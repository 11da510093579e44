import Linux

/// Why the check cannot be made, and the status that says so.
struct LintFailure: Error {
  let message: String
  var status: Int32 = 1

  /// The program was used wrongly; the status is that of `whorl help exit`.
  static func usage(_ message: String) -> LintFailure {
    LintFailure(message: message + "\n" + LintOptions.usage, status: 206)
  }

  static func reading(_ path: [UInt8], _ error: SystemError) -> LintFailure {
    LintFailure(message: "\(name(path)): \(reason(error))")
  }

  private static func reason(_ error: SystemError) -> String {
    if error.isMissing { return "there is no such file" }
    if error.isWrongKind { return "a link, which is not followed" }
    return "cannot be read (\(error.call), error \(error.code))"
  }
}

/// A path as reports name it.
func name(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
