import SecretMemory

@testable import WhorlClient

extension FuzzTarget {
  /// The keys of a terminal, then what is typed.
  static let secretLine = FuzzTarget(name: "secret-line") { bytes in
    var choices = Choices(bytes)
    let keys = TypingKeys(
      erase: choices.byte(), kill: choices.byte(), end: choices.byte())
    guard var line = SecretLine(keys: keys) else { return }
    var typed: [UInt8] = []
    var isTooLong = false
    for byte in choices.rest() {
      switch line.take(byte) {
      case .tooLong:
        try require(isTooLong, "only a line over the limit is too long")
        (typed, isTooLong) = ([], false)
      case .ended:
        try require(typed.isEmpty, "only an empty line ends the input")
        return
      case .complete(let secret):
        try require(
          secret.copied == typed && !isTooLong, "a line is what was typed and not taken back")
        typed = []
      case .more:
        if [keys.erase, 0x7f, 0x08].contains(byte) {
          while let last = typed.popLast(), last & 0xc0 == 0x80 {}
        } else if [keys.kill, 0x15].contains(byte) {
          (typed, isTooLong) = ([], false)
        } else if byte != 0 {
          if typed.count < SecretLine.limit { typed.append(byte) } else { isTooLong = true }
        }
      }
    }
  }
}
