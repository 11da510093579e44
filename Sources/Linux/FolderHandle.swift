import CLinux
import Glibc

/// An open folder, from which everything below is opened name by name, so that no link is
/// followed and no renamed parent leads elsewhere. Names are bytes, as the kernel has them.
public struct FolderHandle: Sendable {
  private let descriptor: OwnedDescriptor

  /// Opens a folder by path; a link in the last component is refused.
  public init(path: String) throws(SystemError) {
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError(code: errno, call: "open") }
    descriptor = OwnedDescriptor(owning: raw)
  }

  private init(descriptor: OwnedDescriptor) {
    self.descriptor = descriptor
  }

  /// A folder in this one.
  public func folder(_ name: [UInt8]) throws(SystemError) -> FolderHandle {
    FolderHandle(descriptor: try open(name, O_DIRECTORY))
  }

  /// A file in this one, for reading. Opening a fifo or a device does not wait.
  public func file(_ name: [UInt8]) throws(SystemError) -> OwnedDescriptor {
    try open(name, O_NONBLOCK | O_NOCTTY)
  }

  /// What stands under a name, links not followed.
  public func kind(_ name: [UInt8]) throws(SystemError) -> FileFacts.Kind {
    var status = stat()
    let name = try Self.terminated(name)
    // SAFETY: the name ends with a zero; the out-parameter is valid.
    guard unsafe fstatat(descriptor.raw, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      throw SystemError(code: errno, call: "fstatat")
    }
    return FileFacts.kind(of: status.st_mode)
  }

  /// The names in the folder, less `.` and `..`, sorted by bytes.
  /// - Throws: also when there are more than `limit` (`EOVERFLOW`).
  public func names(limit: Int) throws(SystemError) -> [[UInt8]] {
    // A second open, because reading moves the place in the folder.
    // SAFETY: the text is a constant.
    let own = unsafe openat(descriptor.raw, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { throw SystemError(code: errno, call: "openat") }
    // SAFETY: on success the stream owns `own` and is closed below.
    guard let stream = unsafe fdopendir(own) else {
      let code = errno
      close(own)
      throw SystemError(code: code, call: "fdopendir")
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    errno = 0
    // SAFETY: each entry is copied before the next call; its name ends with a zero.
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      if name != [0x2e], name != [0x2e, 0x2e] {
        guard names.count < limit else { throw SystemError(code: EOVERFLOW, call: "readdir") }
        names.append(name)
      }
      errno = 0
    }
    guard errno == 0 else { throw SystemError(code: errno, call: "readdir") }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  private func open(_ name: [UInt8], _ flags: Int32) throws(SystemError) -> OwnedDescriptor {
    let name = try Self.terminated(name)
    // SAFETY: the name ends with a zero and is valid for the length of the call.
    let raw = unsafe openat(descriptor.raw, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
    guard raw >= 0 else { throw SystemError(code: errno, call: "openat") }
    return OwnedDescriptor(owning: raw)
  }

  /// One component, never a way out of the folder.
  private static func terminated(_ name: [UInt8]) throws(SystemError) -> [CChar] {
    guard !name.isEmpty, name != [0x2e], name != [0x2e, 0x2e],
      !name.contains(0), !name.contains(UInt8(ascii: "/"))
    else { throw SystemError(code: EINVAL, call: "openat") }
    return name.map { CChar(bitPattern: $0) } + [0]
  }
}
