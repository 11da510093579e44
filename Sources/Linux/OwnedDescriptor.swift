import CLinux
import Glibc

/// A descriptor closed with its last reference.
public final class OwnedDescriptor: Sendable {
  public let raw: Int32

  public init(owning raw: Int32) {
    self.raw = raw
  }

  deinit { close(raw) }
}
