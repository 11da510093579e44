import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  public let code: Int32
  public let call: String

  public init(code: Int32, call: String) {
    self.code = code
    self.call = call
  }

  /// Whether the process, or the host, has no descriptor left.
  public var lacksDescriptors: Bool { code == EMFILE || code == ENFILE }

  /// In words, for who administers the host.
  public var description: String {
    // SAFETY: the text is copied at once; for the kernel's errors it is a constant.
    unsafe "\(call): \(String(cString: strerror(code)))"
  }
}
