import Foundation
import Glibc
import TestHost
import Testing
import WhorlKit
import Wire

/// Clients who take more than their share: the others are served, and within the time stated.
@Suite(.serialized) struct CrowdTests {
  static let games: uid_t = 5
  static let other: uid_t = 33
  /// Milliseconds in which everyone else is answered, whatever a crowd does.
  static let bound = 2000.0

  private static func started(_ lines: [String] = []) throws -> Service {
    let service = try Service(lines)
    try service.start()
    try service.keychain.add("roots", [1])
    for user in [games, other] { _ = try service.keychain(of: user).list() }
    return service
  }

  @Test func `of ten thousand connections of one user 64 stay, and others are served`() throws {
    let service = try Self.started()
    var slowest = 0.0
    var held: [RawClient] = []
    for index in 1...10_000 {
      let client = try #require(RawClient(service.socket, user: Self.games))
      client.sayHello()
      held.append(client)
      if index.isMultiple(of: 500) {
        slowest = max(slowest, try service.delay(of: Self.other), try service.delay(of: 0))
        held.removeAll { $0.isEnded }
      }
    }
    slowest = max(slowest, try service.delay(of: Self.other))
    held.removeAll { $0.isEnded }
    #expect(held.count == 64 && held.allSatisfy(\.hasAnswer), "\(held.count) stay")
    #expect(slowest < Self.bound)
    print("ten thousand connections: others waited \(slowest) ms at most")
    #expect(throws: KeychainError.self) { try service.keychain(of: Self.games).list() }
    held = []
    try Self.isServed(service, Self.games)
  }

  /// A share that was given back serves again, as soon as the daemon has seen it.
  private static func isServed(_ service: Service, _ user: uid_t) throws {
    try service.host.wait("the user to be served", seconds: bound / 1000) {
      failure { try service.keychain(of: user).list() } == nil
    }
  }

  @Test(arguments: [1024, 128])
  func `when all users together take the descriptors, root is served`(descriptors: Int) throws {
    let service = try Service()
    service.prefix = ["/usr/bin/prlimit", "--nofile=\(descriptors):\(descriptors)"]
    try service.start()
    try service.keychain.add("roots", [1])
    let users: [uid_t] = [1, 2, 3, 5, 6, 7, 8, 9, 10, 13, 33, 34]
    var held: [RawClient] = []
    for user in users {
      _ = try? service.delay(of: user)
      for _ in 0..<64 {
        let client = try #require(RawClient(service.socket, user: user))
        client.sayHello()
        held.append(client)
      }
    }
    #expect(try service.delay(of: 0) < Self.bound)
    #expect(try service.keychain.value("roots") == [1])
    try service.keychain.add("more", [2])
    held.removeAll { $0.isEnded }
    // Those who asked before may not be gone yet.
    #expect(held.count >= descriptors / 6 && held.count < descriptors / 2, "\(held.count) stay")
    held = []
    try Self.isServed(service, Self.games)
    #expect(service.isRunning)
  }

  @Test func `clients who never read their answers are ended, and cost others no time`() throws {
    let service = try Self.started(["write-limit = 1000"])
    let games = service.keychain(of: Self.games)
    for index in 0..<40 {
      try games.add("item \(index)", [1], label: String(repeating: "x", count: 1000))
    }
    let before = service.residentKibibytes
    let crowd = try (0..<60).map { _ in
      try #require(RawClient(service.socket, user: Self.games))
    }
    let request = FrameHeader.frame(ClientMessage.request(Request(.list(Query()))).encoded)
    for client in crowd {
      client.sayHello()
      for _ in 0..<500 { client.send(request) }
    }
    var slowest = 0.0
    try service.host.wait("the clients to be ended", seconds: 20) {
      slowest = max(slowest, try service.delay(of: Self.other))
      return crowd.allSatisfy(\.isEnded)
    }
    #expect(slowest < Self.bound)
    #expect(service.residentKibibytes - before < 128 * 1024)
    try Self.isServed(service, Self.games)
  }

  @Test func `a byte now and then does not keep a connection that says nothing`() throws {
    let service = try Self.started(["hello-limit = 500", "write-limit = 1000"])
    let hello = FrameHeader.frame(ClientMessage.hello(ClientHello()).encoded)
    let request = FrameHeader.frame(ClientMessage.request(Request(.list(Query()))).encoded)
    for (isGreeted, bytes) in [(false, hello), (true, request), (true, Self.halfSecret)] {
      let client = try #require(RawClient(service.socket, user: Self.games))
      if isGreeted { client.sayHello() }
      let start = ContinuousClock.now
      var slowest = 0.0
      for byte in bytes.dropLast() where !client.isEnded {
        client.send([byte])
        slowest = max(slowest, try service.delay(of: Self.other))
        usleep(100_000)
      }
      #expect(client.isEnded)
      #expect(ContinuousClock.now - start < .seconds(6))
      #expect(slowest < Self.bound)
    }
  }

  /// The header of a secret, and a part of it.
  private static let halfSecret =
    FrameHeader(secretCount: 1_000_000).encoded + [UInt8](repeating: 3, count: 100)

  @Test func `half frames hold no one's memory for long, and nobody else's share`() throws {
    let service = try Self.started(["write-limit = 1000"])
    let secret = [UInt8](repeating: 9, count: 1_000_000)
    let crowd = try (0..<8).map { _ in
      try #require(RawClient(service.socket, user: Self.games))
    }
    for client in crowd {
      client.sayHello()
      client.send(Self.halfSecret)
    }
    // The share of that user is used up, and of nobody else.
    let busy = failure { try service.keychain(of: Self.games).add("big", secret) }
    #expect(busy?.code == .busy && busy?.problem == nil, "\(busy as Any)")
    try service.keychain(of: Self.other).add("big", secret)
    #expect(crowd.allSatisfy { $0.ends(within: 6) })
    try service.keychain(of: Self.games).add("big", secret)
    #expect(try service.keychain(of: Self.games).value("big") == secret)
  }

  @Test func `secrets without their request are dropped in time`() throws {
    let service = try Self.started(["write-limit = 1000"])
    let crowd = try (0..<8).map { _ in
      try #require(RawClient(service.socket, user: Self.games))
    }
    for client in crowd {
      client.sayHello()
      client.send(FrameHeader(secretCount: 5).encoded + [1, 2, 3, 4, 5])
    }
    #expect(crowd.allSatisfy { $0.ends(within: 6) })
    try Self.isServed(service, Self.games)
  }

  @Test func `one answer releases no more than a user's share, and says so`() throws {
    let service = try Self.started()
    let secret = [UInt8](repeating: 9, count: 1_000_000)
    let names = (0..<5).map { "big \($0)" }
    for name in names { try service.keychain.add(name, secret) }
    let items = names.map(ItemIdentity.named)
    #expect(
      try service.keychain.read(Array(items.prefix(4))).map(\.count)
        == [1, 1, 1, 1].map { $0 * 1_000_000 })
    let error = failure { try service.keychain.read(items) }
    #expect(error?.code == .badParameter && error?.problem == nil, "\(error as Any)")
    #expect(try service.keychain.read(Array(items.suffix(4))).count == 4)
  }
}

extension Service {
  var residentKibibytes: Int {
    let status = (try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    return line.flatMap { Int($0.split(separator: " ").dropLast().last ?? "") } ?? 0
  }
}
