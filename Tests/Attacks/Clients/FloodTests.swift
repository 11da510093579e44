import AccessControl
import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// One user who wants all of it.
@Suite(.serialized) final class FloodTests {
  private static let other = PrivateHost.other
  private static let mebibyte = String(repeating: "m", count: Limits.secret)

  /// Another user takes and gives a secret.
  private func servesOthers(_ host: PrivateHost) throws {
    try host.store("own", user: Self.other, replacing: true)
    #expect(try host.reads("own", user: Self.other) == .secrets([PrivateHost.secret]))
  }

  @Test func `connections of one user are limited, others and root are served`() throws {
    let host = try PrivateHost.plain(["connections-per-user = 8"])
    try host.store("own", user: Self.other)
    let before = try host.descriptorsAtRest()
    var clients: [RawClient] = []
    for index in 0..<40 {
      let client = try RawClient(host)
      client.send(Raw.hello)
      let busy = Failure(.busy, detail: Array("too many connections".utf8))
      #expect(
        client.next() == .message(index < 8 ? .hello(version: 1) : .failed(busy)), "\(index)")
      clients.append(client)
    }
    #expect(try host.reads("own", user: Self.other) == .secrets([PrivateHost.secret]))
    #expect(try host.reads("own", user: 0) == .failed(.notFound))
    clients = []
    try host.wait("the connections to end") { try host.descriptors() <= before }
    #expect(try host.reads("own") == .failed(.notFound))
  }

  @Test func `connections opened and dropped without end leave no trace and keep nobody waiting`()
    throws
  {
    let host = try PrivateHost.plain()
    let (daemon, before) = (host.daemon, try host.descriptorsAtRest())
    for round in 0..<10 {
      for index in 0..<100 {
        let client = try RawClient(host)
        if index % 3 > 0 { client.send(Raw.hello) }
        if index % 3 > 1 { client.send(Raw.read("absent")) }
      }
      let start = ContinuousClock.now
      #expect(try host.reads("own", user: Self.other) == .failed(.notFound))
      #expect(ContinuousClock.now - start < .seconds(3), "round \(round)")
    }
    try host.isUnharmed(since: daemon, descriptors: before)
  }

  @Test func `a flood of requests keeps no other user waiting`() throws {
    let host = try PrivateHost.plain()
    try host.store("own", user: Self.other)
    for index in 0..<20 { try host.store("item \(index)") }
    let list = Raw.frame(.request(Request(.list(Query()))))
    let lists = Raw.hello + (0..<1000).flatMap { _ in list }
    let clients = try (0..<40).map { _ in try RawClient(host) }
    for client in clients { client.send(lists) }
    var slowest = Duration.zero
    for _ in 0..<10 {
      let start = ContinuousClock.now
      #expect(try host.reads("own", user: Self.other) == .secrets([PrivateHost.secret]))
      slowest = max(slowest, ContinuousClock.now - start)
    }
    #expect(slowest < .seconds(2), "\(slowest)")
    withExtendedLifetime(clients) {}
  }

  @Test func `a flood of requests that cost much keeps no other user waiting`() throws {
    let host = try PrivateHost.plain()
    try host.store("own", user: Self.other)
    try host.store("item")
    host.stop("whorld")
    let record = try FileHandle(
      forUpdating: URL(filePath: "\(host.state)/audit/\(PrivateHost.games).log"))
    let entry = try #require(try record.readToEnd())
    try record.write(contentsOf: Data((0..<1_000_000 / entry.count).flatMap { _ in entry }))
    try record.close()
    try host.startDaemon()
    try host.wait("the session") {
      try host.reads("own", user: Self.other) == .secrets([PrivateHost.secret])
    }
    let log = Raw.frame(.request(Request(.log(limit: 256))))
    let logs = Raw.hello + (0..<100).flatMap { _ in log }
    let clients = try (0..<40).map { _ in try RawClient(host) }
    for client in clients { client.send(logs) }
    var slowest = Duration.zero
    for _ in 0..<5 {
      let start = ContinuousClock.now
      #expect(try host.reads("own", user: Self.other) == .secrets([PrivateHost.secret]))
      slowest = max(slowest, ContinuousClock.now - start)
    }
    #expect(slowest < .seconds(2), "\(slowest)")
    withExtendedLifetime(clients) {}
  }

  @Test func `prompts of one user are limited, another's is shown`() throws {
    let host = try PrivateHost.plain(["prompts-per-user = 3"])
    try host.store("gated", "devicePasscode")
    try host.store("gated", "devicePasscode", user: Self.other)
    let read = Operation.read([Raw.item("gated")])
    let clients = try (0..<4).map { _ in
      let client = try RawClient(host)
      client.ask(read)
      return client
    }
    #expect(clients[3].outcome() == .failed(.busy))
    let stranger = try RawClient(host, user: Self.other)
    stranger.ask(read)
    stranger.type("open", at: try stranger.show().id)
    #expect(stranger.outcome() == .secrets([PrivateHost.secret]))
    clients[0].type(PrivateHost.password, at: try clients[0].show().id)
    #expect(clients[0].outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `secrets on their way in count as their user's until they are gone`() throws {
    let host = try PrivateHost.plain()
    let before = try host.lockedMemory()
    let secret = Raw.secret(Self.mebibyte)
    var refused = 0
    let clients = try (0..<3).map { _ in
      let client = try RawClient(host)
      // The answer to a request gives back nothing of what came after it.
      client.send(Raw.hello + Raw.frame(.request(Request(.status))) + secret + secret)
      return client
    }
    try host.wait("a refusal") {
      for client in clients {
        while case let next = client.next(seconds: 0.1), next != .nothing, next != .closed {
          if next == .message(.failed(Failure(.busy))) { refused += 1 }
        }
      }
      return refused >= 1
    }
    #expect(try host.lockedMemory() - before < 6 * 1024)
    try servesOthers(host)
    for client in clients { client.leave() }
    try host.wait("the memory to be free") { try host.lockedMemory() - before < 1024 }
    let again = try RawClient(host)
    again.send(Raw.hello + secret + Raw.frame(Raw.add("large")))
    #expect(again.outcome() == .done)
  }

  @Test func `answers that nobody receives count as their user's, and end in time`() throws {
    let host = try PrivateHost.plain(["write-limit = 400"])
    try host.store("large", secret: Self.mebibyte)
    let before = (try host.lockedMemory(), try host.descriptorsAtRest())
    let clients = try (0..<6).map { _ in
      let client = try RawClient(host)
      client.send(Raw.hello + Raw.frame(Raw.read("large")) + Raw.frame(Raw.read("large")))
      return client
    }
    try host.wait("answers to be on their way") { try host.lockedMemory() - before.0 > 2 * 1024 }
    #expect(try host.lockedMemory() - before.0 < 6 * 1024)
    try servesOthers(host)
    try host.wait("the memory to be free", seconds: 5) {
      try host.lockedMemory() - before.0 < 1024
    }
    // Of those that were refused nothing was to be received, so they may ask again.
    let closed = clients.filter { $0.rest(seconds: 0.1).last == .closed }
    #expect((1...4).contains(closed.count))
    for client in clients { client.leave() }
    try host.wait("the connections to end") { try host.descriptors() <= before.1 }
    #expect(try host.reads("large") == .secrets([Self.mebibyte]))
  }

  @Test func `items that are more than a user's share together are not opened at once`() throws {
    let host = try PrivateHost.plain()
    try host.store("large", secret: Self.mebibyte)
    for count in [4, 5, 64] {
      let client = try RawClient(host)
      client.ask(.read(Array(repeating: Raw.item("large"), count: count)))
      let all = RawClient.Outcome.secrets(Array(repeating: Self.mebibyte, count: count))
      #expect(client.outcome() == (count < 5 ? all : .failed(.badParameter)))
    }
  }

  @Test func `frames that never end are given up and hold little memory`() throws {
    let host = try PrivateHost.plain(["hello-limit = 700"])
    let before = try host.descriptorsAtRest()
    let clients = try (0..<60).map { _ in
      let client = try RawClient(host)
      client.send(Raw.hello + [0, 1, 0, 0, 2] + [UInt8](repeating: 0, count: 60_000))
      return client
    }
    #expect(try host.reads("own", user: Self.other) == .failed(.notFound))
    try host.wait("the connections to end", seconds: 5) { try host.descriptors() <= before }
    withExtendedLifetime(clients) {}
  }

  @Test func `a quota that one user has filled is none of another's`() throws {
    let host = try PrivateHost.plain(["quota = 30000"])
    let secret = String(repeating: "s", count: 10_000)
    var outcomes: [RawClient.Outcome] = []
    for index in 0..<4 {
      let client = try RawClient(host)
      client.send(Raw.hello + Raw.secret(secret) + Raw.frame(Raw.add("item \(index)")))
      outcomes.append(client.outcome())
    }
    #expect(outcomes == [.done, .done, .failed(.quotaExceeded), .failed(.quotaExceeded)])
    try host.store("own", secret: secret, user: Self.other)
    #expect(try host.reads("item 1") == .secrets([secret]))
  }

  @Test func `application passwords of one user keep no other waiting`() throws {
    let host = try PrivateHost.plain()
    let add = { (name: String) in
      Raw.hello + Raw.secret("password") + Raw.secret("secret")
        + Raw.frame(Raw.add(name, "none + applicationPassword", replacing: true))
    }
    for _ in 0..<3 {
      // Those who left wait for nothing any more.
      let clients = try (0..<40).map { _ in try RawClient(host) }
      for client in clients { client.send(add("many")) }
      usleep(20_000)
    }
    let clients = try (0..<40).map { _ in try RawClient(host) }
    for client in clients { client.send(add("many")) }
    usleep(20_000)
    let stranger = try RawClient(host, user: Self.other)
    stranger.send(add("own"))
    #expect(stranger.outcome(seconds: 20) == .done)
    let answered = clients.filter { $0.outcome(seconds: 0) == .done }
    #expect(answered.count < 5, "\(answered.count)")
  }
}
