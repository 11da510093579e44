import Lint

/// Bytes made from the corpus by cutting, doubling and strewing in, from a seed.
struct Noise: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ (state >> 29)
  }

  private static let strewn = [
    "(", ")", "{", "}", "[", "]", "\"", "\"\"\"", "\\(", "\n", "\r", "/", "#", "#\"", "@", "?", "=",
    ".", ",", ":", "let ", "var ", "if ", "case ", "func ", "in ", "init(", "`", "$", "'", "<", ">",
    "\u{0}", "é", "/*", "*/", "<<EOF\n", "${", "$(", "<key>", "!",
  ].map { Array($0.utf8) }

  mutating func bytes(from files: [[UInt8]]) -> [UInt8] {
    var bytes = files.randomElement(using: &self) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<6, using: &self) {
      case 0: bytes.removeSubrange(place..<min(bytes.count, place + 12))
      case 1: bytes.insert(contentsOf: Self.strewn.randomElement(using: &self) ?? [], at: place)
      case 2: bytes[place] = UInt8.random(in: 0...255, using: &self)
      case 3: bytes = Array(bytes[..<place])
      case 4:
        let other = files.randomElement(using: &self) ?? []
        let start = Int.random(in: 0...other.count, using: &self)
        bytes.insert(contentsOf: other[start..<min(other.count, start + 60)], at: place)
      default: bytes = Array(bytes[place...])
      }
    }
    return bytes
  }
}
