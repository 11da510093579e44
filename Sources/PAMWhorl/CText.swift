import CLinux

/// C strings beside literals.
enum CText {
  static func equals(_ text: UnsafePointer<CChar>, _ literal: StaticString) -> Bool {
    // SAFETY: both are C strings.
    unsafe strcmp(text, pointer(literal)) == 0
  }

  /// What follows a prefix; nil when it is not there.
  static func rest(
    of text: UnsafePointer<CChar>, after prefix: StaticString
  ) -> UnsafePointer<CChar>? {
    // SAFETY: at most the prefix is compared, and the text goes on where it was found.
    guard unsafe strncmp(text, pointer(prefix), prefix.utf8CodeUnitCount) == 0 else { return nil }
    return unsafe text + prefix.utf8CodeUnitCount
  }

  /// A literal for C.
  static func pointer(_ literal: StaticString) -> UnsafePointer<CChar> {
    // SAFETY: a literal of the compiler's ends in a zero and lives for ever.
    unsafe UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// The bytes of a text, at most `limit`.
  static func bytes(_ text: UnsafePointer<CChar>, limit: Int) -> [UInt8]? {
    // SAFETY: no more than the limit and one is read, and not beyond the end.
    let count = unsafe strnlen(text, limit + 1)
    guard count <= limit else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    for index in 0..<count { unsafe bytes.append(UInt8(bitPattern: text[index])) }
    return bytes
  }
}
