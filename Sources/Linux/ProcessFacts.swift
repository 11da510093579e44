import CLinux
import Glibc

/// What /proc says of a process. It is asked by number, which another process may have got
/// meanwhile: the caller looks at ``Peer/isAlive`` after asking.
///
/// What has a `user` is a look (`ProcessLooks`) at a process of that user's.
public enum ProcessFacts {
  public static let ownUserNamespace = inode("/proc/self/ns/user")

  /// The path of its group in the unified hierarchy, or nil.
  public static func controlGroup(_ process: Int32) -> String? {
    read("/proc/\(process)/cgroup").flatMap(controlGroup(in:))
  }

  /// In bytes: in text, a character of a group's name could take the end of its line to itself.
  static func controlGroup(in lines: [UInt8]) -> String? {
    let mark = Array("0::".utf8)
    return lines.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: mark) }.map {
      String(decoding: $0.dropFirst(mark.count), as: UTF8.self)
    }
  }

  /// Whether it is stopped by a signal or a tracer; true also when that cannot be read, since what
  /// is gone shows nothing either.
  public static func isStopped(_ process: Int32, of user: UInt32) -> Bool {
    guard let state = fields(process, user)?.first else { return true }
    return state == "T" || state == "t" || state == "Z" || state == "X"
  }

  /// The device number of its controlling terminal, 0 without one; nil when the process is gone.
  public static func terminal(_ process: Int32, of user: UInt32) -> UInt64? {
    guard let fields = fields(process, user), fields.count > 4 else { return nil }
    return Int64(fields[4]).map { UInt64(bitPattern: $0) }
  }

  /// When it started, in clock ticks since boot; nil when it is gone.
  public static func started(_ process: Int32, of user: UInt32) -> UInt64? {
    guard let fields = fields(process, user), fields.count > 19 else { return nil }
    return UInt64(fields[19])
  }

  private static func fields(_ process: Int32, _ user: UInt32) -> [String]? {
    let finding = ProcessLooks.shared.look(at: user) {
      read("/proc/\(process)/stat").flatMap { stateFields(of: $0) }.map { .fields($0) }
    }
    guard case .fields(let fields) = finding else { return nil }
    return fields
  }

  /// The fields of /proc/PID/stat from the state on. The command's name before them may hold
  /// anything, so they are counted from its last parenthesis; in bytes, because in text a
  /// character of the name could take that parenthesis to itself.
  static func stateFields(of line: [UInt8]) -> [String]? {
    guard let end = line.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    return line[(end + 1)...].split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  private static func inode(_ path: String) -> UInt64? {
    var status = stat()
    // SAFETY: the text and the out-parameter are valid.
    guard unsafe stat(path, &status) == 0 else { return nil }
    return UInt64(status.st_ino)
  }

  private static func read(_ path: String) -> [UInt8]? {
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { return nil }
    let descriptor = OwnedDescriptor(owning: raw)
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe Glibc.read(descriptor.raw, bytes.baseAddress, bytes.count)
    }
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}
