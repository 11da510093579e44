import AccessControl
import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// Clients that say what is not so.
@Suite(.serialized, .host("shown-limit = 1000")) final class ClaimTests {
  let host: PrivateHost

  init() throws {
    host = try OneHost.get()
    try host.store("open", replacing: true)
    for user in [PrivateHost.games, PrivateHost.other] {
      try host.store("gated", "devicePasscode", user: user, replacing: true)
    }
  }

  /// A read of the gated item whose prompt is shown.
  private func reading(
    user: uid_t = PrivateHost.games, on host: PrivateHost? = nil
  ) throws -> (RawClient, UInt32) {
    let client = try RawClient(host ?? self.host, user: user)
    client.ask(.read([Raw.item("gated")]))
    return (client, try client.show().id)
  }

  @Test func `groups and names that a client gives itself open nothing and are not recorded`()
    throws
  {
    let claim = ClientMessage.hello(
      ClientHello(groups: [Array("whorl".utf8), Array("root".utf8)], via: Array("/bin/su".utf8)))
    let stranger = try RawClient(host, user: PrivateHost.other)
    stranger.send(claim, Raw.read("open"))
    #expect(stranger.outcome() == .failed(.notFound))
    let own = try RawClient(host)
    own.send(claim, Raw.read("open"))
    #expect(own.outcome() == .secrets([PrivateHost.secret]))
    let record = try #require(try host.records().last)
    #expect(record.user == PrivateHost.games && record.process == getpid())
    #expect(!String(decoding: record.program, as: UTF8.self).contains("su"))
  }

  @Test func `a prompt that was not received cannot be acknowledged or answered`() throws {
    let client = try RawClient(host)
    var bytes = Raw.hello + Raw.frame(Raw.read("gated"))
    for number in 0...300 as ClosedRange<UInt32> {
      bytes +=
        Raw.frame(.shown(prompt: number)) + Raw.secret(PrivateHost.password)
        + Raw.frame(.answer(prompt: number, .devicePasscode))
    }
    client.send(bytes)
    #expect(client.outcome() == .failed(.timedOut))
  }

  @Test func `the number of a prompt tells nothing of other prompts`() throws {
    var numbers: [UInt32] = []
    for _ in 0..<4 { numbers.append(try reading().1) }
    for (first, second) in zip(numbers, numbers.dropFirst()) {
      #expect(max(first, second) - min(first, second) > 1)
    }
  }

  @Test func `a prompt is answered by its own connection alone`() throws {
    let (first, prompt) = try reading()
    let queued = try RawClient(host)
    queued.ask(.read([Raw.item("gated")]))
    let (stranger, own) = try reading(user: PrivateHost.other)
    for client in [queued, stranger] {
      client.send(.shown(prompt: prompt))
      client.type(PrivateHost.password, at: prompt)
    }
    #expect(first.next(seconds: 0.3) == .nothing)
    #expect(stranger.next(seconds: 0) == .nothing)
    first.type(PrivateHost.password, at: prompt)
    #expect(first.outcome() == .secrets([PrivateHost.secret]))
    queued.type(PrivateHost.password, at: try queued.show().id)
    #expect(queued.outcome() == .secrets([PrivateHost.secret]))
    stranger.type("open", at: own)
    #expect(stranger.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `a cancel ends the request of its own connection alone`() throws {
    let (first, prompt) = try reading()
    let queued = try RawClient(host)
    queued.ask(.read([Raw.item("gated")]))
    let stranger = try RawClient(host, user: PrivateHost.other)
    stranger.send(.hello(ClientHello()), .cancel, .invalidate(context: 0), .invalidate(context: 1))
    queued.send(.cancel)
    #expect(queued.outcome() == .failed(.cancelled))
    #expect(first.next(seconds: 0.2) == .nothing)
    first.type(PrivateHost.password, at: prompt)
    #expect(first.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `another user's password is a wrong one, and delays nobody else`() throws {
    let (stranger, prompt) = try reading(user: PrivateHost.other)
    stranger.type(PrivateHost.password, at: prompt)
    guard case .message(.step(.notice(prompt, let notice))) = stranger.next() else {
      Issue.record("no notice of a wrong password")
      return
    }
    #expect(notice.kind == .wrongPasscode)
    stranger.leave()
    let (client, own) = try reading()
    client.type(PrivateHost.password, at: own)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test
  func `a password is held, not called wrong, while a check runs that another client left`()
    throws
  {
    let host = try PrivateHost.plain()
    try host.store("gated", "devicePasscode")
    try host.passcodeService(
      """
      auth optional pam_exec.so quiet /bin/sleep 0.7
      auth required \(PrivateHost.matrix) passdb=\(host.folder)/passdb
      """)
    let (hostile, first) = try reading(on: host)
    hostile.type("wrong", at: first)
    hostile.leave()
    let (client, prompt) = try reading(on: host)
    #expect(client.enter(PrivateHost.password, at: prompt) == .secrets([PrivateHost.secret]))
  }

  @Test func `a guess counts although its client does not wait for the answer`() throws {
    let host = try PrivateHost.plain()
    try host.store("gated", "devicePasscode")
    let count = "\(host.folder)/runtime/backoff-\(PrivateHost.games)"
    for failures in 1...3 as ClosedRange<UInt8> {
      let (client, prompt) = try reading(on: host)
      client.type("wrong", at: prompt)
      client.leave()
      try host.wait("the guess to count") {
        FileManager.default.contents(atPath: count)?.prefix(4).last == failures
      }
    }
    let (client, prompt) = try reading(on: host)
    client.type(PrivateHost.password, at: prompt)
    #expect(
      client.next()
        == .message(.step(.notice(prompt: prompt, Notice(.passcodeNotTried, seconds: 1)))))
  }

  @Test func `a factor that was not asked for is no answer`() throws {
    let (client, prompt) = try reading()
    for factor in [Factor.applicationPassword, .biometry] {
      client.type(PrivateHost.password, at: prompt, factor)
    }
    #expect(client.next(seconds: 0.2) == .nothing)
    client.type(PrivateHost.password, at: prompt)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `a second request while one waits ends the connection and its prompt`() throws {
    let (client, _) = try reading()
    client.send(Raw.read("open"))
    #expect(client.next() == .message(.failed(Failure(.protocolViolation))))
    #expect(client.next() == .closed)
    let (next, prompt) = try reading()
    next.type(PrivateHost.password, at: prompt)
    #expect(next.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `evidence of one request serves neither the next nor another connection's context`()
    throws
  {
    let client = try RawClient(host)
    client.ask(.read([Raw.item("gated")]), context: 7)
    client.type(PrivateHost.password, at: try client.show().id)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    client.askAgain(.read([Raw.item("gated")]), context: 7)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    for context in [0, 6, 8] as [UInt32] {
      client.askAgain(.read([Raw.item("gated")]), context: context)
      _ = try client.prompt()
      client.send(.cancel)
      #expect(client.outcome() == .failed(.cancelled))
    }
    for user in [PrivateHost.games, PrivateHost.other] {
      let thief = try RawClient(host, user: user)
      thief.ask(.read([Raw.item("gated")]), context: 7)
      _ = try thief.prompt()
      thief.send(.cancel)
      #expect(thief.outcome() == .failed(.cancelled))
    }
    client.send(.invalidate(context: 7))
    client.askAgain(.read([Raw.item("gated")]), context: 7)
    #expect(client.outcome() == .failed(.invalidContext))
  }
}
