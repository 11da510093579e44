/// Bytes that stand nowhere by chance, and whatever repeats them.
struct Needle {
  let name: String
  let bytes: [UInt8]

  var text: String { String(decoding: bytes, as: UTF8.self) }

  init(_ name: String, _ bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// Eight random characters: one needle finds every piece of 15 bytes or more of a text made of
  /// them, such as a register that was saved on the stack.
  init(_ name: String) {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    self.init(name, (0..<8).map { _ in letters.randomElement()! })
  }

  /// A secret of this many bytes, a multiple of eight.
  func secret(_ count: Int) -> String { String(repeating: text, count: count / bytes.count) }

  /// The needles that find every piece of 15 bytes or more of a key.
  static func key(_ name: String, _ key: [UInt8]) -> [Needle] {
    stride(from: 0, to: key.count, by: 8).map { Needle(name, Array(key[$0..<$0 + 8])) }
  }
}
