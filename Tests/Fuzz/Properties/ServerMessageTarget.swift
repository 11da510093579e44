import Wire

extension FuzzTarget {
  static let serverMessage = FuzzTarget(name: "server-message") { bytes in
    guard let message = try? ServerMessage(bytes) else { return }
    try require(message.encoded == bytes, "a server's message has one encoding")
  }
}
