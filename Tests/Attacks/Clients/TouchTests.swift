import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// Clients who want another's touch, or more of one than it was given for.
@Suite(.serialized) final class TouchTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.withReader(["shown-limit = 1200", "rearm-delay = 50"])
    try host.store("finger", "biometryAny")
    try host.store("either", "userPresence", secret: "either")
  }

  /// A read for which the reader waits.
  private func asking(
    _ client: RawClient, _ name: String = "finger"
  ) throws -> (RawClient, Prompt) {
    client.ask(.read([Raw.item(name)]))
    let prompt = try client.show()
    #expect(client.next() == .message(.step(.armed(prompt: prompt.id))))
    try host.waitForVerification()
    return (client, prompt)
  }

  private func asking(_ name: String = "finger") throws -> (RawClient, Prompt) {
    try asking(RawClient(host), name)
  }

  /// A match sooner after arming would be that of a finger that rests on the reader.
  private func lift() { usleep(300_000) }

  /// The right finger, while the daemon stands still, until its verdict is on the way; then what
  /// else happens at that moment.
  private func atTheTouch(_ body: () throws -> Void) throws {
    lift()
    try host.whileStopped {
      try host.scan("alice")
      try host.wait("the verdict") { host.workers().isEmpty }
      try body()
    }
  }

  @Test func `a touch for one item opens no other, nor the same again`() throws {
    let (client, prompt) = try asking()
    #expect(prompt.items == [Array("finger".utf8)])
    try host.scan("alice")
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    for name in ["either", "finger"] {
      client.askAgain(.read([Raw.item(name)]))
      _ = try client.prompt()
      client.send(.cancel)
      #expect(client.outcome() == .failed(.cancelled))
    }
  }

  @Test func `a client that says nothing of its prompt does not arm the reader`() throws {
    let client = try RawClient(host)
    client.ask(.read([Raw.item("finger")]))
    let prompt = try client.prompt()
    for other in [0, prompt.id &- 1, prompt.id &+ 1] { client.send(.shown(prompt: other)) }
    #expect(client.outcome() == .failed(.timedOut))
    #expect(!host.isVerifying)
    // The next in the queue is not kept from it for longer.
    let (next, _) = try asking()
    try host.scan("alice")
    #expect(next.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `a prompt that asks for no touch arms no reader, and opens by the password alone`()
    throws
  {
    let client = try RawClient(host)
    client.ask(.read([Raw.item("either")]))
    let prompt = try client.prompt()
    client.send(.shown(prompt: prompt.id, isTouchless: true))
    // Nor does it by what is said after.
    client.send(.shown(prompt: prompt.id))
    #expect((try? host.waitForVerification(seconds: 0.3)) == nil)
    client.type(PrivateHost.password, at: prompt.id)
    #expect(client.outcome() == .secrets(["either"]))
    // What needs a touch is not to be had so.
    client.askAgain(.read([Raw.item("finger")]))
    let other = try client.prompt()
    client.send(.shown(prompt: other.id, isTouchless: true))
    #expect(client.outcome() == .failed(.interactionNotAllowed))
    #expect(!host.isVerifying)
  }

  @Test func `a client found gone when its prompt is answered does not leave the reader armed`()
    throws
  {
    // A wait after wrong passwords is told as soon as a prompt is shown.
    var now = timespec()
    clock_gettime(CLOCK_BOOTTIME, &now)
    let until = UInt64(now.tv_sec + 30) * 1_000_000_000
    let bytes = (0..<8).reversed().map { UInt8(truncatingIfNeeded: until >> ($0 * 8)) }
    let wait = [0, 0, 0, 9] + bytes
    try Data(wait).write(
      to: URL(filePath: "\(host.folder)/runtime/backoff-\(PrivateHost.games)"))
    let gone = try RawClient(host)
    gone.ask(.read([Raw.item("either")]))
    let prompt = try gone.prompt()
    gone.finishReceiving()
    gone.send(.shown(prompt: prompt.id))
    try host.wait("its end") { try host.records().last?.failure == .cancelled }
    let (next, _) = try asking()
    lift()
    try host.scan("alice")
    #expect(next.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `an answer that comes after the touch opens nothing more and counts neither way`()
    throws
  {
    let (client, prompt) = try asking("either")
    try atTheTouch {
      for _ in 0..<4 { client.type("wrong", at: prompt.id) }
    }
    #expect(client.outcome() == .secrets(["either"]))
    for _ in 0..<4 { client.type(PrivateHost.password, at: prompt.id) }
    client.send(Raw.read("finger"))
    _ = try client.prompt()
    client.send(.cancel)
    #expect(client.outcome() == .failed(.cancelled))
    let next = try RawClient(host)
    next.ask(.read([Raw.item("either")]))
    // A guess that was begun is finished first.
    #expect(next.enter(PrivateHost.password, at: try next.show().id) == .secrets(["either"]))
  }

  @Test func `a client that dies at the touch gets nothing, and the record says so`() throws {
    let connector = try Connector(host)
    let (kept, _) = try asking(connector.connect())
    try atTheTouch { connector.end() }
    // Whatever is looked at first of a process that is gone.
    #expect([.failed(.timedOut), .failed(.notAtReader)].contains(kept.outcome()))
    let (left, _) = try asking()
    try atTheTouch { left.leave() }
    try host.wait("the record") { try host.records().last?.failure == .cancelled }
    #expect(try host.records(20).allSatisfy { $0.action != .read || $0.failure != nil })
  }

  @Test func `a cancel at the touch has one outcome, and the record is of that one`() throws {
    for _ in 0..<2 {
      let (client, _) = try asking()
      try atTheTouch { client.send(.cancel) }
      let outcome = client.outcome()
      let record = try #require(try host.records().last)
      switch outcome {
      case .secrets([PrivateHost.secret]): #expect(record.failure == nil)
      case .failed(.cancelled): #expect(record.failure == .cancelled)
      default: Issue.record("\(outcome)")
      }
    }
  }

  @Test func `an item that was replaced, or removed, while its prompt was shown is not released`()
    throws
  {
    let (first, _) = try asking()
    try host.store("finger", "biometryAny", secret: "another", replacing: true)
    try host.scan("alice")
    #expect(first.outcome() == .failed(.changedMeanwhile))
    let (second, _) = try asking()
    let remover = try RawClient(host)
    remover.ask(.delete(Raw.item("finger")))
    #expect(remover.outcome() == .done)
    try host.store("finger", "biometryAny", secret: "another")
    lift()
    try host.scan("alice")
    #expect(second.outcome() == .failed(.changedMeanwhile))
  }

  @Test func `who leaves the queue and comes again stands at its end`() throws {
    let (first, _) = try asking()
    let honest = try RawClient(host)
    honest.ask(.read([Raw.item("either")]))
    for _ in 0..<20 {
      let pushy = try RawClient(host)
      pushy.ask(.read([Raw.item("finger")]))
      #expect(pushy.next() == .message(.hello(version: 1)))
      guard case .message(.step(.queued)) = pushy.next() else {
        Issue.record("it overtook")
        return
      }
    }
    first.send(.cancel)
    #expect(first.outcome() == .failed(.cancelled))
    let prompt = try honest.show()
    #expect(prompt.items == [Array("either".utf8)])
    #expect(honest.next() == .message(.step(.armed(prompt: prompt.id))))
    try host.waitForVerification()
    try host.scan("alice")
    #expect(honest.outcome() == .secrets(["either"]))
  }
}
