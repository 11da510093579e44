import Foundation
import Glibc
import SQLite
import Synchronization
import TestHost
import Testing
import WhorlKit
import Wire

/// Reloads, stops and starts that meet work, each other, or what others left.
@Suite(.serialized) struct RestartTests {
  @Test func `reloads under load lose no request, and the new configuration holds`() throws {
    let service = try Service(["connections-per-user = 64"])
    try service.start()
    for index in 0..<4 { try service.keychain.add("item \(index)", [UInt8(index)]) }
    let found = Mutex<(done: Int, errors: [String], isOver: Bool)>((0, [], false))
    let keychain = service.keychain
    let threads = (0..<4).map { index in
      Thread {
        while !found.withLock({ $0.isOver }) {
          let error = failure {
            try keychain.add("item \(index)", [UInt8(index)], replacing: true)
            return try keychain.value("item \(index)")
          }
          found.withLock { found in
            found.done += 1
            if let error { found.errors.append("\(error)") }
          }
        }
      }
    }
    for thread in threads { thread.start() }
    for _ in 0..<60 {
      service.signal(SIGHUP)
      usleep(10_000)
    }
    found.withLock { $0.isOver = true }
    while threads.contains(where: { !$0.isFinished }) { usleep(1000) }
    #expect(found.withLock { $0.errors } == [])
    #expect(found.withLock { $0.done } > 20)

    try service.configure(["connections-per-user = 2"])
    service.signal(SIGHUP)
    try service.host.wait("the new limit") {
      let held = (0..<3).compactMap { _ in RawClient(service.socket, user: 5) }
      for client in held { client.sayHello() }
      usleep(20_000)
      return held.filter { !$0.isEnded && $0.hasAnswer }.count == 2
    }
    try service.configure(["connections-per-user = none"])
    service.signal(SIGHUP)
    try service.host.wait("the complaint") {
      service.log.contains("bad value for connections-per-user")
    }
    #expect(try service.keychain.value("item 1") == [1])
  }

  @Test func `a stop does not wait for a password that is being stretched`() throws {
    let service = try Service()
    try service.start()
    try service.keychain.add("kept", [1])
    let keychain = service.keychain
    let thread = Thread {
      _ = failure {
        try keychain.add("new", [2], policy: "none + applicationPassword", password: [1])
      }
    }
    thread.start()
    usleep(30_000)
    let start = ContinuousClock.now
    #expect(service.stop(SIGTERM) == 0)
    #expect(ContinuousClock.now - start < .seconds(5))
    try service.start()
    let names = try service.keychain.list().map(\.identity.account)
    #expect(names == ["kept"] || names == ["kept", "new"])
  }

  @Test func `of two daemons started at once one serves, and the other says why not`() throws {
    let service = try Service()
    try service.start()
    try service.keychain.add("kept", [7])
    service.stop(SIGTERM)
    for round in 0..<8 {
      let (first, second) = (try service.start(beside: "a"), try service.start(beside: "b"))
      try service.host.wait("one to give up", seconds: 5) {
        !first.isRunning || !second.isRunning
      }
      try service.host.wait("the other to serve", seconds: 5) {
        RawClient.isAccepted(service.socket)
      }
      #expect(first.isRunning != second.isRunning, "\(round)")
      let loser = first.isRunning ? "b" : "a"
      #expect(service.said(loser).contains("another whorld uses"), "\(service.said(loser))")
      #expect(try service.keychain.value("kept") == [7])
      // A third one, later, takes nothing from it either.
      let third = try service.start(beside: "c")
      #expect(third.status(seconds: 5) == 1)
      #expect(try service.keychain.value("kept") == [7])
      for child in [first, second] { child.end() }
    }
  }

  @Test func `a socket file that goes or is another's is no harm, and a restart makes it again`()
    throws
  {
    let service = try Service()
    try service.start()
    try service.keychain.add("kept", [7])
    unlink(service.socket)
    // Who is connected is served; who comes finds nobody.
    #expect(try service.keychain.value("kept") == [7])
    #expect(RawClient(service.socket) == nil)
    service.stop(SIGTERM)
    try service.start()
    #expect(try service.keychain.value("kept") == [7])
    service.stop(SIGTERM)

    // What stands there and is no socket is not removed.
    unlink(service.socket)
    try "keep me".write(toFile: service.socket, atomically: true, encoding: .utf8)
    let said = try service.refusal()
    #expect(
      said?.contains("\(service.socket): bind: Address already in use") == true, "\(said ?? "")")
    #expect(try String(contentsOfFile: service.socket, encoding: .utf8) == "keep me")
    unlink(service.socket)
    try service.start()
    #expect(try service.keychain.value("kept") == [7])
  }

  @Test func `a client does not speak to a server of another account`() throws {
    let service = try Service()
    try service.start()
    let keychain = Keychain(
      transport: SocketTransport(path: Array(service.socket.utf8), trustsAnyServer: false))
    #expect(try keychain.list() == [])
    // A socket that others made where the daemon's was.
    service.stop(SIGTERM)
    unlink(service.socket)
    chmod(service.host.folder, 0o777)
    let impostor = try Child(
      [
        "/usr/bin/systemd-socket-activate", "--accept", "--inetd", "-l", service.socket, "/bin/cat",
      ], environment: [:], user: 33)
    try service.host.wait("the impostor") { RawClient.isAccepted(service.socket) }
    let error = failure { try keychain.list() }
    #expect(error?.problem == .foreignServer(path: Array(service.socket.utf8), user: 33))
    impostor.end()
  }

  @Test func `a store locked by another program is busy, reads go on, and it passes`() throws {
    let service = try Service()
    _ = try PrintSets(service.host)
    try service.start()
    try service.keychain.add("kept", [7])
    try service.keychain.add("bound", [8], policy: "biometryCurrentSet")
    let other = try Connection(path: "\(service.state)/users/0-root/items.db")
    try other.execute("BEGIN IMMEDIATE")
    let writes: [() throws -> Any] = [
      { try service.keychain.add("new", [1]) }, { try service.keychain.delete(.named("kept")) },
      { try service.keychain.change("kept", [9], label: "c") },
      { try service.keychain.add("kept", [9], replacing: true) },
    ]
    for write in writes {
      let error = failure(write)
      #expect(error?.code == .busy && error?.problem == nil, "\(error as Any)")
    }
    #expect(try service.keychain.value("kept") == [7])
    #expect(try service.keychain.show(.named("bound")).binding == .live)
    try service.keychain(of: 5).add("theirs", [1])
    try other.execute("ROLLBACK")
    try service.keychain.add("new", [1])
    // Locked when the daemon opens it.
    service.stop(SIGTERM)
    try other.execute("PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE")
    try service.start()
    #expect(failure { try service.keychain.list() }?.code == .busy)
    #expect(failure { try service.keychain.value("kept") }?.code == .busy)
    #expect(try service.keychain(of: 5).value("theirs") == [1])
    try other.execute("ROLLBACK; PRAGMA locking_mode=NORMAL")
    _ = try? other.execute("SELECT count(*) FROM item")
    #expect(try service.keychain.value("kept") == [7])
    #expect(try service.keychain.value("new") == [1])
  }
}

extension Service {
  /// A daemon of the same configuration beside this one.
  fileprivate func start(beside name: String) throws -> Child {
    unlink("\(host.folder)/\(name).log")
    return try Child(
      ["\(PrivateHost.programs)/whorld", "--config", configuration], environment: [:],
      error: "\(host.folder)/\(name).log")
  }

  fileprivate func said(_ name: String) -> String {
    (try? String(contentsOfFile: "\(host.folder)/\(name).log", encoding: .utf8)) ?? ""
  }
}
