import DesktopPrompt
import SecretMemory

extension FuzzTarget {
  /// What pinentry says, in pieces of the size that the first byte tells.
  static let pinentry = FuzzTarget(name: "pinentry") { bytes in
    var choices = Choices(bytes)
    let piece = Int(choices.byte()) + 1
    var rest = choices.rest()[...]
    guard var reader = AssuanReader() else { return }
    var line: [UInt8] = []
    while !rest.isEmpty {
      let taken = reader.take(Array(rest.prefix(piece)).span)
      try require(taken > 0, "there is room after every line was taken")
      let heard = rest.prefix(taken)
      rest = rest.dropFirst(taken)
      line += heard
      while let next = reader.nextLine() {
        if let end = line.firstIndex(of: UInt8(ascii: "\n")) {
          try check(next, Array(line[..<end]))
          line.removeSubrange(...end)
        } else {
          guard case .invalid = next else {
            throw Violation("a line that has no end is none")
          }
          try require(line.count == 1024, "only a line over the limit is too long")
          line = []
        }
      }
    }
  }

  private static func check(_ heard: AssuanLine, _ line: [UInt8]) throws {
    switch heard {
    case .data(let secret):
      try require(line.starts(with: "D ".utf8), "data is said to be some")
      try require(secret.copied == decoded(line.dropFirst(2)), "data is what was escaped")
    case .invalid:
      let isData = line.starts(with: "D ".utf8)
      try require(
        isData ? decoded(line.dropFirst(2)) == nil : line.starts(with: "ERR".utf8),
        "only escapes and numbers can be wrong")
    case .ok: try require(line.starts(with: "OK".utf8), "a yes is said")
    case .error: try require(line.starts(with: "ERR ".utf8), "an error is said")
    case .other: try require(!line.starts(with: "D ".utf8), "data is heard")
    }
  }

  private static func decoded(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = rest.prefix(2)
      let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
      guard digits.count == 2, isHexadecimal,
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes
  }
}
