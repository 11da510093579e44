import Wire

extension FuzzTarget {
  /// A field of piece lengths, then the stream of a helper, which arrives in those pieces.
  static let workerStream = FuzzTarget(name: "worker-stream") { bytes in
    var choices = Choices(bytes)
    let pieces = choices.field(limit: 16)
    let stream = choices.rest()
    let (messages, isBroken) = cut(stream, into: pieces)
    let (whole, isWholeBroken) = cut(stream, into: [])
    try require(
      messages == whole && isBroken == isWholeBroken,
      "how a helper's stream arrives does not change its messages")
    let joined = whole.flatMap { WorkerFrame.header(count: $0.count) + $0 }
    try require(stream.starts(with: joined), "messages are what the stream holds")
    try require(
      whole.allSatisfy { (1...Limits.message).contains($0.count) }, "a message has its limit")
  }

  private static func cut(_ stream: [UInt8], into pieces: [UInt8]) -> ([[UInt8]], Bool) {
    var inbox = WorkerInbox()
    var messages: [[UInt8]] = []
    for piece in split(stream, into: pieces) {
      inbox.append(Array(piece))
      do {
        while let message = try inbox.next() { messages.append(message) }
      } catch {
        return (messages, true)
      }
    }
    return (messages, false)
  }

  /// The stream in pieces of the given lengths and one of the rest.
  static func split(_ stream: [UInt8], into pieces: [UInt8]) -> [ArraySlice<UInt8>] {
    var rest = stream[...]
    var result: [ArraySlice<UInt8>] = []
    for count in pieces {
      result.append(rest.prefix(Int(count)))
      rest = rest.dropFirst(Int(count))
    }
    return result + [rest]
  }
}
