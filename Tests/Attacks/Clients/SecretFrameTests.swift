import AccessControl
import TestHost
import Testing
import Wire

/// Secret frames where none is due, too few, too many.
@Suite(.serialized, .host()) final class SecretFrameTests {
  let host: PrivateHost

  init() throws {
    host = try OneHost.get()
    try host.store("open", replacing: true)
    try host.store("gated", "devicePasscode", replacing: true)
  }

  private func isRefused(_ bytes: [UInt8]) throws -> Bool {
    let client = try RawClient(host)
    client.send(bytes)
    let outcome = client.outcome()
    return outcome == .failed(.protocolViolation)
  }

  @Test func `a secret that no message needs, and a missing one, are refused`() throws {
    let item = Raw.item("open")
    let secret = Raw.secret("x")
    for operation in [
      Operation.read([item]), .read([Raw.item("gated")]), .update(item, Changes()), .delete(item),
      .rearm(item), .show(item), .list(Query()), .status, .log(limit: 1), .lock, .domainState,
      .evaluate(Raw.control("devicePasscode")), .canEvaluate(Raw.control("devicePasscode")),
      .sign(item, [1]), .agree(item, peer: [1]),
    ] {
      let request = Raw.frame(.request(Request(operation)))
      #expect(try isRefused(Raw.hello + secret + request), "\(operation)")
      #expect(try isRefused(Raw.hello + secret + secret + request), "\(operation)")
    }
    for (message, count) in [
      (Raw.add("new"), 0), (Raw.add("new"), 2), (Raw.add("new", "none + applicationPassword"), 0),
      (Raw.add("new", "none + applicationPassword"), 1),
      (.request(Request(.update(item, Changes(replacesSecret: true)))), 0),
      (.request(Request(.update(item, Changes(replacesSecret: true)))), 2),
      (.answer(prompt: 1, .devicePasscode), 0), (.answer(prompt: 1, .devicePasscode), 2),
      (.hello(ClientHello()), 1), (.shown(prompt: 1), 1), (.cancel, 1),
      (.invalidate(context: 1), 1),
    ] as [(ClientMessage, Int)] {
      let secrets = (0..<count).flatMap { _ in secret }
      #expect(try isRefused(Raw.hello + secrets + Raw.frame(message)), "\(count) \(message)")
    }
    #expect(try host.reads("new") == .failed(.notFound))
    #expect(try host.reads("open") == .secrets([PrivateHost.secret]))
  }

  @Test func `a secret before hello, and a third one, are refused by their header`() throws {
    let header = FrameHeader(secretCount: Limits.secret).encoded
    #expect(try isRefused(header))
    #expect(try isRefused(Raw.hello + Raw.secret("a") + Raw.secret("b") + header))
  }

  @Test func `a name with a zero byte or of any other bytes is no other name`() throws {
    try host.store("open\0x", secret: "zero")
    #expect(try host.reads("open") == .secrets([PrivateHost.secret]))
    #expect(try host.reads("open\0x") == .secrets(["zero"]))
    #expect(try host.reads("open\0") == .failed(.notFound))
    let long = String(repeating: "n", count: 4096)
    try host.store(long, secret: "long")
    #expect(try host.reads(long) == .secrets(["long"]))
    #expect(try host.reads(String(long.dropLast())) == .failed(.notFound))
    #expect(try host.reads(long + "n") == .failed(.protocolViolation))
    for bytes in [[0xff, 0xfe], [0xed, 0xa0, 0x80], [0xc0, 0x80]] as [[UInt8]] {
      let client = try RawClient(host)
      let item = ItemIdentity(group: bytes, service: bytes, account: bytes)
      client.ask(.read([item]))
      #expect(client.outcome() == .failed(.notFound))
    }
  }
}
