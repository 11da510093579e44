import Wire

/// The names of fingers, from fprintd's words and from libfprint's file names.
enum FingerName {
  private static let names = [
    "left thumb", "left index finger", "left middle finger", "left ring finger",
    "left little finger", "right thumb", "right index finger", "right middle finger",
    "right ring finger", "right little finger",
  ]

  /// A print is stored under the number of its finger, in hexadecimal, 1 to a.
  static func text(printPath path: [UInt8]) -> String {
    let file = path.split(separator: UInt8(ascii: "/")).last.map { Array($0) } ?? path
    guard file.count == 1, let index = Array("123456789a".utf8).firstIndex(of: file[0]) else {
      return path.isEmpty ? "a fingerprint" : quoted(path)
    }
    return names[index]
  }

  /// fprintd's name, like `right-index-finger`.
  static func text(_ finger: [UInt8]) -> String {
    let words = String(decoding: finger.map { $0 == UInt8(ascii: "-") ? 0x20 : $0 }, as: UTF8.self)
    return names.contains(words) ? words : quoted(finger)
  }
}
