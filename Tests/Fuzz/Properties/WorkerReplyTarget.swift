import Wire

extension FuzzTarget {
  static let workerReply = FuzzTarget(name: "worker-reply") { bytes in
    guard let reply = try? WorkerReply(decoding: bytes) else { return }
    try require(
      reply.encoded() == WorkerFrame.header(count: bytes.count) + bytes,
      "a worker's reply has one encoding")
  }
}
