import CLinux
import Glibc

/// A descriptor that becomes readable, for good, once ``fire()`` was called on any thread.
public final class CancelEvent: Sendable {
  private let owned: OwnedDescriptor

  public var descriptor: Int32 { owned.raw }

  public init() throws(SystemError) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError(code: errno, call: "eventfd") }
    owned = OwnedDescriptor(owning: raw)
  }

  public func fire() {
    // A full counter is readable as well, so the result does not matter.
    _ = eventfd_write(descriptor, 1)
  }

  /// Takes back what was fired.
  public func reset() {
    var value: UInt64 = 0
    // SAFETY: the out-parameter is valid for the length of the call.
    _ = unsafe eventfd_read(descriptor, &value)
  }
}
