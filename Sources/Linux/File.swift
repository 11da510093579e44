import CLinux
import Glibc

/// An open regular file, read and written at given places.
public struct File: Sendable {
  public let descriptor: OwnedDescriptor

  /// Opens a file that exists; a link in the last component is refused.
  public init(reading path: String, writing: Bool = false) throws(SystemError) {
    try self.init(path, (writing ? O_RDWR : O_RDONLY) | O_NOFOLLOW, 0)
  }

  /// Makes a file that must not exist.
  public init(creating path: String, mode: UInt32) throws(SystemError) {
    try self.init(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, mode)
  }

  /// Opens for appending, making the file if there is none.
  public init(appendingTo path: String, mode: UInt32) throws(SystemError) {
    try self.init(path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, mode)
  }

  private init(_ path: String, _ flags: Int32, _ mode: UInt32) throws(SystemError) {
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
    guard raw >= 0 else { throw SystemError(code: errno, call: "open") }
    descriptor = OwnedDescriptor(owning: raw)
  }

  public var size: Int {
    get throws(SystemError) {
      var status = stat()
      // SAFETY: the out-parameter is valid.
      guard unsafe fstat(descriptor.raw, &status) == 0 else {
        throw SystemError(code: errno, call: "fstat")
      }
      return Int(status.st_size)
    }
  }

  /// Fills the span from `offset`.
  ///
  /// - Returns: the bytes read; fewer than asked at the end of the file.
  public func read(
    into span: inout MutableSpan<UInt8>, at offset: Int
  ) throws(SystemError) -> Int {
    var done = 0
    while done < span.count {
      // SAFETY: the place stays inside the span.
      let count = unsafe span.withUnsafeMutableBytes { bytes in
        unsafe pread(
          descriptor.raw, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done,
          off_t(offset + done))
      }
      if count == 0 { break }
      guard count > 0 || errno == EINTR else { throw SystemError(code: errno, call: "pread") }
      done += max(count, 0)
    }
    return done
  }

  /// The whole content, also of the kernel's own files, which have no size; `EFBIG` when it is
  /// over `limit` bytes.
  public func readAll(limit: Int) throws(SystemError) -> [UInt8] {
    // A byte more than there should be tells whether there is more.
    var room = min(max(try size, 4096), limit) + 1
    while true {
      var failure: SystemError?
      // SAFETY: of the room, as many bytes are given on as were read.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        var span = unsafe buffer.mutableSpan
        do throws(SystemError) { count = try read(into: &span, at: 0) } catch { failure = error }
      }
      if let failure { throw failure }
      guard bytes.count == room else { return bytes }
      guard room <= limit else { throw SystemError(code: EFBIG, call: "read") }
      room = min(2 * room, limit + 1)
    }
  }

  /// Writes all of the span at `offset`.
  public func write(_ span: Span<UInt8>, at offset: Int) throws(SystemError) {
    var done = 0
    while done < span.count {
      // SAFETY: the place stays inside the span.
      let count = unsafe span.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor.raw, bytes.baseAddress.map { unsafe $0 + done }, bytes.count - done,
          off_t(offset + done))
      }
      guard count >= 0 || errno == EINTR else { throw SystemError(code: errno, call: "pwrite") }
      done += max(count, 0)
    }
  }

  /// One write at the end of a file opened for appending.
  public func append(_ bytes: [UInt8]) throws(SystemError) {
    // SAFETY: the buffer's own length.
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe Glibc.write(descriptor.raw, bytes.baseAddress, bytes.count)
    }
    guard count == bytes.count else {
      throw SystemError(code: count < 0 ? errno : ENOSPC, call: "write")
    }
  }

  /// Takes the space up to `size` bytes now, so that later writes inside it need none.
  public func allocate(_ size: Int) throws(SystemError) {
    let status = posix_fallocate(descriptor.raw, 0, off_t(size))
    guard status == 0 else { throw SystemError(code: status, call: "posix_fallocate") }
  }

  /// Takes the space up to `size` bytes and leaves the file as long as it is, so that what is
  /// appended up to there needs none. Where the file system cannot do that, nothing happens.
  public func reserve(_ size: Int) throws(SystemError) {
    guard whorl_reserve(descriptor.raw, Int64(size)) != 0 else { return }
    guard errno == EOPNOTSUPP || errno == ENOSYS else {
      throw SystemError(code: errno, call: "fallocate")
    }
  }

  public func truncate(to size: Int) throws(SystemError) {
    guard ftruncate(descriptor.raw, off_t(size)) == 0 else {
      throw SystemError(code: errno, call: "ftruncate")
    }
  }

  /// Content and metadata on the device.
  public func sync() throws(SystemError) {
    guard fsync(descriptor.raw) == 0 else { throw SystemError(code: errno, call: "fsync") }
  }

  public func syncData() throws(SystemError) {
    guard fdatasync(descriptor.raw) == 0 else {
      throw SystemError(code: errno, call: "fdatasync")
    }
  }
}
