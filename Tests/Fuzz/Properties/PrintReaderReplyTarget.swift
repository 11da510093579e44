import Wire

extension FuzzTarget {
  static let printReaderReply = FuzzTarget(name: "print-reader-reply") { bytes in
    guard let reply = try? PrintReaderReply(decoding: bytes) else { return }
    try require(
      reply.encoded() == WorkerFrame.header(count: bytes.count) + bytes,
      "a print reader's reply has one encoding")
  }
}
