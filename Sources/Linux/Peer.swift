import CLinux
import Glibc

/// Who is at the other end of a connected local socket, as the kernel recorded it when the peer
/// connected.
public struct Peer: Sendable {
  public let user: UInt32
  public let process: Int32
  /// Its folder below /proc, which is that of no later process of the same number. What was read by
  /// number counts only if the process is still alive *afterwards*.
  private let folder: OwnedDescriptor
  private let memory: ProcessMemory?

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
    let pidfd = OwnedDescriptor(owning: raw)
    // SAFETY: the text is valid for the length of the call.
    let entry = unsafe open("/proc/\(process)", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard entry >= 0 else { throw SystemError(code: errno, call: "open") }
    folder = OwnedDescriptor(owning: entry)
    memory = ProcessMemory(of: folder)
    // Opened by number while it lived, so it is the peer's own.
    var state = pollfd(fd: pidfd.raw, events: Int16(POLLIN), revents: 0)
    // SAFETY: one entry, as counted.
    guard unsafe poll(&state, 1, 0) == 0 else { throw SystemError(code: ESRCH, call: "poll") }
    self.user = user
    self.process = process
  }

  /// Whether the process still runs.
  public var isAlive: Bool { executable != nil }

  /// Whether it lives and has called no exec since it connected. False too where that cannot be told.
  /// A tenth of the time of a look at ``executable``.
  public var keepsMemory: Bool { memory?.isInUse == true }

  /// Device and inode of the file it runs; nil when it has ended, or that cannot be read.
  public var executable: (device: UInt64, inode: UInt64)? {
    var status = stat()
    // SAFETY: the text and the out-parameter are valid for the length of the call.
    guard unsafe fstatat(folder.raw, "exe", &status, 0) == 0 else { return nil }
    return (UInt64(status.st_dev), UInt64(status.st_ino))
  }

  /// The inode of its user namespace; nil as for ``executable``.
  public var userNamespace: UInt64? {
    var status = stat()
    // SAFETY: as above.
    guard unsafe fstatat(folder.raw, "ns/user", &status, 0) == 0 else { return nil }
    return UInt64(status.st_ino)
  }

  /// The path of that file, unverified; nil as for ``executable``.
  public var executablePath: [UInt8]? {
    // SAFETY: the text is valid for the length of the call, the buffer as long as is said, and
    // filled as far as is returned.
    unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { bytes in
      let count = unsafe readlinkat(
        folder.raw, "exe", bytes.assumingMemoryBound(to: CChar.self).baseAddress!, bytes.count)
      return count > 0 ? unsafe Array(bytes[..<count]) : nil
    }
  }
}
