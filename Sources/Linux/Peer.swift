import CLinux
import Glibc

/// Who is at the other end of a connected local socket, as the kernel recorded it when the peer
/// connected.
public struct Peer: Sendable {
  /// What a process runs, and where.
  public struct Program: Equatable, Sendable {
    /// Device and inode of the file.
    public let device: UInt64
    public let inode: UInt64
    /// The file's path, unverified.
    public let path: [UInt8]
    /// The inode of the user namespace.
    public let userNamespace: UInt64
  }

  public let user: UInt32
  public let process: Int32
  private let pidfd: OwnedDescriptor
  /// Its folder below /proc, which is that of no later process of the same number. What was read by
  /// number counts only if the process is still alive *afterwards*.
  private let folder: OwnedDescriptor

  /// - Throws: `ESRCH` and others when the peer is gone already.
  public init(of connection: OwnedDescriptor) throws(SystemError) {
    var process: Int32 = 0
    var user: UInt32 = 0
    // SAFETY: the out-parameters are valid for the length of the call.
    let status = unsafe whorl_peer_credentials(connection.raw, &process, &user)
    guard status == 0 else { throw SystemError(code: status, call: "SO_PEERCRED") }
    // A peer of another pid namespace has no number here.
    guard process > 0 else { throw SystemError(code: ESRCH, call: "SO_PEERCRED") }
    let raw = whorl_peer_pidfd(connection.raw, process)
    guard raw >= 0 else { throw SystemError(code: errno, call: "SO_PEERPIDFD") }
    pidfd = OwnedDescriptor(owning: raw)
    // SAFETY: the text is valid for the length of the call.
    let entry = unsafe open("/proc/\(process)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard entry >= 0 else { throw SystemError(code: errno, call: "open") }
    folder = OwnedDescriptor(owning: entry)
    self.user = user
    self.process = process
    // Opened by number while it lived, so it is the peer's own.
    guard isAlive else { throw SystemError(code: ESRCH, call: "poll") }
  }

  /// Whether the process still runs.
  public var isAlive: Bool { !Readiness.wait(pidfd.raw, milliseconds: 0) }

  /// What it runs now; nil when it has ended, or that cannot be read in time (`ProcessLooks`).
  public func program() -> Program? {
    let folder = folder
    let finding = ProcessLooks.shared.look(at: user) { Self.program(folder).map { .program($0) } }
    guard case .program(let program) = finding else { return nil }
    return program
  }

  private static func program(_ folder: OwnedDescriptor) -> Program? {
    var file = stat()
    var namespace = stat()
    // SAFETY: the texts and the out-parameters are valid for the length of the calls.
    guard unsafe fstatat(folder.raw, "exe", &file, 0) == 0,
      unsafe fstatat(folder.raw, "ns/user", &namespace, 0) == 0, let path = path(folder)
    else { return nil }
    return Program(
      device: UInt64(file.st_dev), inode: UInt64(file.st_ino), path: path,
      userNamespace: UInt64(namespace.st_ino))
  }

  private static func path(_ folder: OwnedDescriptor) -> [UInt8]? {
    // SAFETY: the text is valid for the length of the call, the buffer as long as is said, and
    // filled as far as is returned.
    unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { bytes in
      let count = unsafe readlinkat(
        folder.raw, "exe", bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
      return count > 0 ? unsafe Array(bytes[..<count]) : nil
    }
  }
}
