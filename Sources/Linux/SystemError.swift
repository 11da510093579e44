/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable {
  public let code: Int32
  public let call: String

  public init(code: Int32, call: String) {
    self.code = code
    self.call = call
  }
}
