/// Collects bytes of a non-blocking socket and gives whole messages.
public struct WorkerInbox: Sendable {
  private var bytes: [UInt8] = []

  public init() {}

  /// Whether a message has begun and not ended.
  public var isPartial: Bool { !bytes.isEmpty }

  public mutating func append(_ more: some Collection<UInt8>) {
    bytes.append(contentsOf: more)
  }

  /// The next message without its length, or `nil` until more bytes come.
  public mutating func next() throws(DecodingError) -> [UInt8]? {
    guard bytes.count >= WorkerFrame.headerCount else { return nil }
    let count = try WorkerFrame.count(header: Array(bytes[..<WorkerFrame.headerCount]))
    let end = WorkerFrame.headerCount + count
    guard bytes.count >= end else { return nil }
    defer { bytes.removeFirst(end) }
    return Array(bytes[WorkerFrame.headerCount..<end])
  }
}
