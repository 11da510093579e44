import CLinux
import Glibc

/// A listening stream socket of the local domain.
public struct ListeningSocket: Sendable {
  public let descriptor: OwnedDescriptor

  /// Binds to a path that everyone may connect to: access is decided by the peer's uid, never by
  /// the file's mode. A socket file left there by an earlier run is removed; anything else is not.
  public init(path: String) throws(SystemError) {
    let address = try SocketAddress(path: Array(path.utf8), call: "bind")
    let raw = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard raw >= 0 else { throw SystemError(code: errno, call: "socket") }
    descriptor = OwnedDescriptor(owning: raw)
    // SAFETY: the text and the out-parameter are valid for the length of each call.
    var status = stat()
    if unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
      unsafe unlink(path)
    }
    try address.bind(raw)
    guard unsafe chmod(path, 0o666) == 0 else { throw SystemError(code: errno, call: "chmod") }
    guard listen(raw, 1024) == 0 else { throw SystemError(code: errno, call: "listen") }
  }

  /// Takes over a socket that the service manager listens on, which blocks unless its unit says
  /// otherwise.
  public init(inherited raw: Int32) throws(SystemError) {
    descriptor = OwnedDescriptor(owning: raw)
    let flags = fcntl(raw, F_GETFL)
    guard flags >= 0, fcntl(raw, F_SETFL, flags | O_NONBLOCK) == 0 else {
      throw SystemError(code: errno, call: "fcntl")
    }
  }

  /// The next connection, or nil when none waits. A connection that was gone before it was
  /// accepted is passed over.
  ///
  /// - Throws: `EMFILE`, `ENFILE`, `ENOMEM` when the process or host has no room for it.
  public func accept() throws(SystemError) -> OwnedDescriptor? {
    while true {
      let raw = whorl_accept(descriptor.raw)
      if raw >= 0 { return OwnedDescriptor(owning: raw) }
      switch errno {
      case EAGAIN: return nil
      case EINTR, ECONNABORTED: continue
      default: throw SystemError(code: errno, call: "accept4")
      }
    }
  }
}
