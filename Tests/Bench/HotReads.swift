import Glibc
import TestHost
import WhorlClient
import Wire

/// Reads on an open connection, against the smallest exchange there can be: the same bytes there
/// and back between two processes.
enum HotReads {
  private static let rounds = 40
  private static let reads = 1000

  static func measure(_ host: PrivateHost, _ report: inout Report) throws {
    report.head("A read on an open connection")
    let item = ItemIdentity.bench("bench")
    let pong = try PingPong(
      request: FrameHeader.frame(ClientMessage.request(Request(.read([item]))).encoded).count,
      answer: FrameHeader.count + secretText.utf8.count
        + FrameHeader.frame(ServerMessage.done(.secrets(count: 1)).encoded).count)
    let keychain = host.keychain()
    let times = try rounds(of: [
      ("ping-pong", { pong.once() }), ("read", { _ = try keychain.read(item) }),
    ])
    report.keep("ping-pong ns", times[0].flatMap { $0 })
    report.keep("read ns", times[1].flatMap { $0 })
    let (base, read) = (times[0], times[1])
    report.row("ping-pong, p50", Double(base.map(\.median).median) / 1e3, "µs")
    report.row("read, p50", Double(read.map(\.median).median) / 1e3, "µs")
    report.row(
      "read to ping-pong, p50", ratio(read.map(\.median), to: base.map(\.median)), "×",
      .atMost(2.75))
    report.row(
      "read to ping-pong, p99",
      ratio(read.map { $0.percentile(0.99) }, to: base.map { $0.percentile(0.99) }), "×",
      .atMost(3))
  }

  /// 100 items of one user against 100,000 of another, in the same daemon.
  static func measureSize(_ host: PrivateHost, _ report: inout Report) throws {
    report.head("Many items")
    var last = 0
    let few = host.keychain()
    let many = host.keychain()
    // What is connected stays connected, so the users are told apart by these two reads.
    _ = try few.read(.bench("item 0"))
    _ = try asUser(PrivateHost.games) { try many.read(.bench("item 0")) }
    func next(_ count: Int) -> ItemIdentity {
      // A stride that visits all of them in no order.
      last = (last + 61_803) % count
      return .bench("item \(last)")
    }
    let times = try rounds(of: [
      ("100", { _ = try few.read(next(ItemCounts.few)) }),
      ("100,000", { _ = try many.read(next(ItemCounts.many)) }),
    ])
    report.keep("read of 100 ns", times[0].flatMap { $0 })
    report.keep("read of 100000 ns", times[1].flatMap { $0 })
    report.row(
      "read of 100,000 items to read of 100, p50",
      ratio(times[1].map(\.median), to: times[0].map(\.median)), "×", .atMost(1.35))
  }

  /// The times of each variant in each round.
  private static func rounds(
    of variants: [(String, () throws -> Void)]
  ) throws -> [[[UInt64]]] {
    var times: [[[UInt64]]] = variants.map { _ in [] }
    for round in 0...rounds {
      for (index, variant) in variants.enumerated() {
        let samples = try (0..<reads).map { _ in try timed(variant.1) }
        // The first one warms up.
        if round > 0 { times[index].append(samples) }
      }
    }
    return times
  }
}

enum ItemCounts {
  static let few = 100
  static let many = 100_000
}

/// This program again at the other end of a socket pair, answering bytes with bytes.
final class PingPong {
  private let socket: Int32
  private let pid: pid_t
  private let answer: Int
  private var bytes: [UInt8]

  init(request: Int, answer: Int) throws {
    var ends: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends)
    socket = ends[0]
    self.answer = answer
    bytes = Array(repeating: 1, count: request)
    pid = try Program(words: ["/proc/self/exe", "pong", "\(request)", "\(answer)"])
      .spawn(input: ends[1])
    Glibc.close(ends[1])
  }

  deinit {
    Glibc.close(socket)
    waitpid(pid, nil, 0)
  }

  func once() {
    send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    Self.receive(socket, answer)
  }

  /// The other end: until the socket closes.
  static func answer(request: Int, answer: Int) {
    let bytes = [UInt8](repeating: 2, count: answer)
    while receive(0, request) { send(0, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
  }

  @discardableResult
  private static func receive(_ socket: Int32, _ count: Int) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: count, alignment: 1) { buffer in
      var left = count
      while left > 0 {
        let got = recv(socket, buffer.baseAddress, left, 0)
        guard got > 0 else { return false }
        left -= got
      }
      return true
    }
  }
}
