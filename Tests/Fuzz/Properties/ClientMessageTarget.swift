import Wire

extension FuzzTarget {
  static let clientMessage = FuzzTarget(name: "client-message") { bytes in
    guard let message = try? ClientMessage(bytes) else { return }
    try require(message.encoded == bytes, "a client's message has one encoding")
  }
}
