import SecretMemory

/// A line that is typed byte by byte into locked memory, with the terminal's keys for taking back.
struct SecretLine {
  /// The longest line, in bytes.
  static let limit = 1024

  enum Outcome {
    case more
    case complete(SecretBytes)
    /// The line is complete, and longer than ``limit``: nothing of it is used.
    case tooLong
    /// The end of input on an empty line.
    case ended
  }

  let keys: TypingKeys
  private let bytes: SecretBytes
  private var count = 0
  private var isTooLong = false

  /// nil when there is no memory for it.
  init?(keys: TypingKeys) {
    guard let bytes = try? SecretBytes(count: Self.limit) else { return nil }
    self.keys = keys
    self.bytes = bytes
  }

  mutating func take(_ byte: UInt8) -> Outcome {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return complete()
    case keys.end: return count == 0 ? .ended : complete()
    case keys.erase, 0x7f, 0x08: eraseCharacter()
    case keys.kill, 0x15: clear()
    case 0: break
    default:
      guard count < Self.limit else {
        isTooLong = true
        break
      }
      let index = count
      bytes.withMutableBytes { $0[index] = byte }
      count += 1
    }
    return .more
  }

  mutating func clear() {
    bytes.withMutableBytes { bytes in
      for index in 0..<bytes.count { bytes[index] = 0 }
    }
    count = 0
    isTooLong = false
  }

  /// Takes back one character, all bytes of its UTF-8.
  private mutating func eraseCharacter() {
    var isContinuation = true
    while count > 0, isContinuation {
      let index = count - 1
      isContinuation = bytes.withMutableBytes { bytes in
        defer { bytes[index] = 0 }
        return bytes[index] & 0xc0 == 0x80
      }
      count = index
    }
  }

  private mutating func complete() -> Outcome {
    let length = count
    guard !isTooLong else {
      clear()
      return .tooLong
    }
    let line = bytes.withBytes { try? SecretBytes(copying: $0.extracting(0..<length)) }
    clear()
    return line.map(Outcome.complete) ?? .ended
  }
}

/// What the keys of a terminal mean while a password is typed.
struct TypingKeys {
  let erase: UInt8
  let kill: UInt8
  let end: UInt8
}
