import CLinux
import Glibc

/// A system call that failed.
public struct SystemError: Error, Equatable, Sendable {
  public let code: Int32
  public let call: String

  public init(code: Int32, call: String) {
    self.code = code
    self.call = call
  }

  /// For an administrator.
  public var text: String {
    // SAFETY: the text belongs to the C library and is copied at once.
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? ""
    return "\(call): \(reason)"
  }
}
