import CLinux

/// A secret on its way from the daemon to libpam: memory of its own, wiped when it goes.
@safe
struct ReceivedSecret: ~Copyable {
  /// Linux-PAM's own limit, less its final zero.
  static let limit = 511

  let count: Int
  private let bytes: UnsafeMutablePointer<CChar>

  init?(count: Int) {
    guard (1...Self.limit).contains(count) else { return nil }
    // SAFETY: zeroed, with one byte more than is ever filled.
    guard let memory = unsafe calloc(1, count + 1) else { return nil }
    self.count = count
    unsafe bytes = memory.bindMemory(to: CChar.self, capacity: count + 1)
  }

  deinit {
    // SAFETY: the memory that `init` got, wiped and given back once.
    unsafe explicit_bzero(bytes, count)
    unsafe free(bytes)
  }

  /// The memory to fill.
  var buffer: UnsafeMutableRawBufferPointer {
    // SAFETY: as long as this value lives.
    unsafe UnsafeMutableRawBufferPointer(start: bytes, count: count)
  }

  /// As a C string; nil when a zero within would make it another one.
  var text: UnsafePointer<CChar>? {
    // SAFETY: the byte after the last is zero.
    unsafe strlen(bytes) == count ? UnsafePointer(bytes) : nil
  }
}
