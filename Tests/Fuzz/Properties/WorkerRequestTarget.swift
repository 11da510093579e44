import Wire

extension FuzzTarget {
  static let workerRequest = FuzzTarget(name: "worker-request") { bytes in
    guard let request = try? WorkerRequest(decoding: bytes) else { return }
    try require(
      request.encoded() == WorkerFrame.header(count: bytes.count) + bytes,
      "a request to a worker has one encoding")
  }
}
