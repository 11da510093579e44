import CLinux
import Glibc

/// Files that others wrote, read whole. Paths are bytes, as the kernel has them.
public enum RegularFile {
  /// The content of a regular file; a link in the last component is refused, and a fifo or device is
  /// not waited for.
  ///
  /// - Parameter followsLinks: whether a link is followed all the same.
  /// - Throws: `EFBIG` when it is over `limit` bytes, `EINVAL` for what is no regular file.
  public static func bytes(
    _ path: [UInt8], limit: Int, followsLinks: Bool = false
  ) throws(SystemError) -> [UInt8] {
    guard !path.contains(0) else { throw SystemError(code: EINVAL, call: "open") }
    let path = path.map { CChar(bitPattern: $0) } + [0]
    // SAFETY: the path ends with a zero and is valid for the length of the call.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let raw = unsafe open(path, flags | (followsLinks ? 0 : O_NOFOLLOW))
    guard raw >= 0 else { throw SystemError(code: errno, call: "open") }
    let descriptor = OwnedDescriptor(owning: raw)
    var status = stat()
    // SAFETY: the out-parameter is valid.
    guard unsafe fstat(descriptor.raw, &status) == 0 else {
      throw SystemError(code: errno, call: "fstat")
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError(code: EINVAL, call: "open") }
    guard status.st_size <= limit else { throw SystemError(code: EFBIG, call: "read") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var span = bytes.mutableSpan
    var done = 0
    while done < span.count {
      guard let count = BlockingStream(descriptor.raw).read(into: &span, from: done) else {
        throw SystemError(code: EIO, call: "read")
      }
      if count == 0 { break }
      done += count
    }
    return done == bytes.count ? bytes : Array(bytes[..<done])
  }

  /// What stands under a path, links not followed.
  public static func kind(_ path: [UInt8]) throws(SystemError) -> FileFacts.Kind {
    var status = stat()
    let path = path.map { CChar(bitPattern: $0) } + [0]
    // SAFETY: the path ends with a zero; the out-parameter is valid.
    guard unsafe lstat(path, &status) == 0 else { throw SystemError(code: errno, call: "lstat") }
    return FileFacts.kind(of: status.st_mode)
  }
}
