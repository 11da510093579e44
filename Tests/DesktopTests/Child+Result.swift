import TestHost

extension Child {
  /// Waits for the end of a command whose standard output is a file, and whose errors are another one
  /// with `.err` behind its name.
  func result(
    in output: String, seconds: Double
  ) throws -> (status: Int32, output: String, error: String) {
    guard let status = status(seconds: seconds) else {
      throw PrivateHost.Missing("it does not end")
    }
    return (status, PrivateHost.text(output), PrivateHost.text(output + ".err"))
  }
}
