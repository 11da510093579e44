import AccessControl
import Foundation
import TestHost
import Testing
import Wire

/// A client that keeps to no rule with sealed forms, which are kept where the daemon never looks.
@Suite(.serialized) final class FormAttackTests {
  private static let other = PrivateHost.other

  /// Stores an item outside and places it.
  ///
  /// - Returns: what is to be brought for it.
  @discardableResult
  private func place(
    _ host: PrivateHost, _ name: String, secret: String = PrivateHost.secret,
    access: String = "none"
  ) throws -> (form: SealedForm, bytes: [UInt8]) {
    let new = NewItem(
      identity: Raw.item(name), attributes: Attributes(),
      accessControl: try AccessControl(text: access), store: .secretService)
    let client = try RawClient(host)
    client.send(
      Raw.hello + Raw.secret(secret)
        + Raw.frame(.request(Request(.add(new, replacing: true)))))
    #expect(client.outcome() == .done)
    var bytes: [UInt8] = []
    var form: SealedForm?
    repeat {
      let page = try page(client, name, bytes.count)
      form = page.form
      bytes += page.bytes
    } while bytes.count < Int(try #require(form).count)
    client.askAgain(.placed(Raw.item(name), digest: try #require(form).digest))
    #expect(client.outcome() == .done)
    return (try #require(form), bytes)
  }

  private func page(_ client: RawClient, _ name: String, _ offset: Int) throws -> FormPage {
    client.askAgain(.form(Raw.item(name), offset: UInt32(offset)))
    guard case .message(.done(.form(let page))) = client.next() else {
      throw PrivateHost.Missing("no page of \(name)")
    }
    return page
  }

  /// A client whose read waits for forms.
  private func reading(_ host: PrivateHost, _ names: String...) throws -> RawClient {
    let client = try RawClient(host)
    client.ask(.read(names.map(Raw.item)))
    #expect(client.next() == .message(.hello(version: 1)))
    guard case .message(.store(.fetch)) = client.next() else {
      throw PrivateHost.Missing("nothing is fetched")
    }
    return client
  }

  private func bring(_ client: RawClient, _ bytes: [UInt8], index: UInt32 = 0) {
    for part in FormPart.parts(of: bytes, index: index) { client.send(.form(part)) }
  }

  @Test func `a part that is not the next one ends the request, and opens nothing`() throws {
    let host = try PrivateHost.plain()
    let secret = String(repeating: "s", count: 60_000)
    let (_, bytes) = try place(host, "a", secret: secret)
    let parts = FormPart.parts(of: bytes, index: 0)
    let empty = FormPart(index: 0, bytes: [])
    let short = FormPart(index: 0, bytes: Array(bytes.prefix(100)))
    for wrong in [parts[2], parts[1], FormPart(index: 1, bytes: parts[0].bytes), empty, short] {
      let client = try reading(host, "a")
      client.send(.form(wrong))
      var outcome = client.outcome(seconds: wrong == parts[1] ? 1 : 10)
      if wrong == parts[1] {
        // As long as the first, so that only the whole tells.
        #expect(outcome == .nothing)
        bring(client, Array(bytes.dropFirst(parts[0].bytes.count)))
        outcome = client.outcome()
        #expect(outcome == .failed(.notCurrent))
      } else {
        #expect(outcome == .failed(.protocolViolation))
      }
      // The request is over, and the connection serves on; what comes late is for nobody.
      client.send(.form(parts[0]))
      client.askAgain(.read([Raw.item("a")]))
      guard case .message(.store(.fetch)) = client.next() else {
        Issue.record("it does not go on")
        continue
      }
      bring(client, bytes)
      #expect(client.outcome() == .secrets([secret]))
    }
    // A request that waits for a person wants no form.
    try host.store("gated", "devicePasscode")
    let client = try RawClient(host)
    client.ask(.read([Raw.item("gated")]))
    _ = try client.show()
    client.send(.form(parts[0]))
    #expect(client.outcome() == .failed(.protocolViolation))
  }

  @Test func `a client that brings nothing, or stops half way, is given up`() throws {
    let host = try PrivateHost.plain(["fetch-limit = 600", "write-limit = 300"])
    let (_, bytes) = try place(host, "a", secret: String(repeating: "s", count: 60_000))
    let silent = try reading(host, "a")
    #expect(silent.outcome() == .failed(.timedOut))
    let half = try reading(host, "a")
    half.send(.form(FormPart.parts(of: bytes, index: 0)[0]))
    #expect(half.outcome() == .failed(.timedOut))
    let gone = try reading(host, "a")
    gone.leave()
    let honest = try reading(host, "a")
    bring(honest, bytes)
    #expect(honest.outcome() == .secrets([String(repeating: "s", count: 60_000)]))
  }

  @Test func `what one user brings is bounded, and others are served`() throws {
    let host = try PrivateHost.plain()
    let secret = String(repeating: "m", count: Limits.secret)
    let (form, bytes) = try place(host, "large", secret: secret)
    var waiting: [RawClient] = []
    let room = Limits.secretsPerUser / Int(form.count)
    for _ in 0..<room {
      let client = try reading(host, "large")
      client.send(.form(FormPart.parts(of: bytes, index: 0)[0]))
      waiting.append(client)
    }
    let late = try reading(host, "large")
    late.send(.form(FormPart.parts(of: bytes, index: 0)[0]))
    #expect(late.outcome() == .failed(.busy))
    try host.store("own", user: Self.other)
    #expect(try host.reads("own", user: Self.other) == .secrets([PrivateHost.secret]))
    waiting = []
    try host.wait("room again") {
      let client = try reading(host, "large")
      bring(client, bytes)
      return client.outcome() == .secrets([secret])
    }
    // More than may be released at once is refused before anything is brought.
    for index in 0..<4 { try place(host, "large \(index)", secret: secret) }
    let client = try RawClient(host)
    client.ask(.read((0..<4).map { Raw.item("large \($0)") }))
    #expect(client.outcome() == .failed(.badParameter))
  }

  @Test func `the form of an item is its owner's, also to be told that it is placed`() throws {
    let host = try PrivateHost.plain()
    let (form, _) = try place(host, "a")
    let client = try RawClient(host, user: Self.other)
    client.ask(.form(Raw.item("a"), offset: 0))
    #expect(client.outcome() == .failed(.notFound))
    client.askAgain(.placed(Raw.item("a"), digest: form.digest))
    #expect(client.outcome() == .failed(.notFound))
    // What is placed is not handed out any more, nor what was never outside.
    try host.store("own")
    let owner = try RawClient(host)
    owner.ask(.form(Raw.item("a"), offset: 0))
    #expect(owner.outcome() == .failed(.badParameter))
    owner.askAgain(.form(Raw.item("own"), offset: 0))
    #expect(owner.outcome() == .failed(.badParameter))
    owner.askAgain(.placed(Raw.item("own"), digest: form.digest))
    #expect(owner.outcome() == .failed(.changedMeanwhile))
  }
}
