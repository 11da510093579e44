import SecretMemory

/// One line that pinentry says, by the Assuan protocol.
public enum AssuanLine: Sendable {
  case ok
  /// A code of libgpg-error, without the part that names who made it.
  case error(UInt32)
  /// What was typed, or a piece of it.
  case data(SecretBytes)
  /// A comment, a status, or what is not known.
  case other
  /// Not valid, or there is no memory for it.
  case invalid

  /// - Parameter line: without its newline.
  init(_ line: Span<UInt8>) {
    if Self.starts(line, "D ") {
      self = Self.decoded(line, from: 2).map(AssuanLine.data) ?? .invalid
    } else if Self.isWord(line, "OK") {
      self = .ok
    } else if Self.isWord(line, "ERR") {
      self = Self.number(line, from: 4).map { .error($0 & 0xffff) } ?? .invalid
    } else {
      self = .other
    }
  }

  private static func starts(_ line: Span<UInt8>, _ word: StaticString) -> Bool {
    let word = Array("\(word)".utf8)
    return line.count >= word.count && word.indices.allSatisfy { line[$0] == word[$0] }
  }

  private static func isWord(_ line: Span<UInt8>, _ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    return starts(line, word) && (line.count == count || line[count] == UInt8(ascii: " "))
  }

  private static func number(_ line: Span<UInt8>, from start: Int) -> UInt32? {
    var value: UInt32 = 0
    var index = start
    while index < line.count, line[index] != UInt8(ascii: " ") {
      let digit = line[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      let (sum, tooLarge) = product.addingReportingOverflow(UInt32(digit))
      guard !tooLarge else { return nil }
      value = sum
      index += 1
    }
    return index > start ? value : nil
  }

  /// Takes `%HH` apart, from locked memory into locked memory.
  private static func decoded(_ line: Span<UInt8>, from start: Int) -> SecretBytes? {
    guard let wide = try? SecretBytes(count: line.count - start) else { return nil }
    var count = 0
    var index = start
    while index < line.count {
      var byte = line[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard index + 2 <= line.count, let high = hexadecimal(line[index]),
          let low = hexadecimal(line[index + 1])
        else { return nil }
        byte = high << 4 | low
        index += 2
      }
      let (value, place) = (byte, count)
      wide.withMutableBytes { $0[place] = value }
      count += 1
    }
    let length = count
    return wide.withBytes { try? SecretBytes(copying: $0.extracting(0..<length)) }
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
