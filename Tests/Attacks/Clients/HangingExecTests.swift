import Foundation
import TestHost
import Testing
import Wire

/// Programs that hang in an exec, since it waits for a file of theirs to be closed. The kernel lets
/// nobody look at them meanwhile: whoever does waits too.
@Suite(.serialized, .host()) final class HangingExecTests {
  /// Seconds for which others wait at the most, a look's limit among them.
  private static let bound = 1.0

  let host: PrivateHost

  init() throws {
    host = try OneHost.get()
    for user in [PrivateHost.games, PrivateHost.other] {
      try host.store("open", user: user, replacing: true)
    }
  }

  /// Seconds until another user's program has what it reads.
  private func delay() throws -> Double {
    let start = Date()
    let client = try RawClient(host, user: PrivateHost.other)
    client.ask(.read([Raw.item("open")]))
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    return Date().timeIntervalSince(start)
  }

  private func isServedAgain() throws {
    try host.wait("its user to be served again") {
      let client = try RawClient(host)
      client.ask(.read([Raw.item("open")]))
      return client.outcome() == .secrets([PrivateHost.secret])
    }
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `a program that hangs in an exec gets nothing, and keeps others waiting for a look at most`()
    throws
  {
    let files = try HangingFiles(host)
    let connector = try Connector(host)
    defer { files.end() }
    let client = try connector.connect()
    client.ask(.read([Raw.item("open")]))
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    connector.hang(in: "/bin/sleep", closing: "\(files.path)/file")
    try files.waitForClosing(1)
    // A look that was just made serves for 100 ms.
    usleep(150_000)
    client.askAgain(.read([Raw.item("open")]))
    #expect(try delay() < Self.bound)
    #expect(client.outcome() == .failed(.changedMeanwhile))
    try isServedAgain()
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `one that hangs before it is looked at is refused, and so is its user for a while`() throws {
    let files = try HangingFiles(host)
    let connector = try Connector(host)
    defer { files.end() }
    var client: RawClient?
    try host.whileStopped {
      client = try connector.connect()
      connector.hang(in: "/bin/sleep", closing: "\(files.path)/file")
      try files.waitForClosing(1)
    }
    #expect(try delay() < Self.bound)
    #expect(client?.outcome() == .failed(.busy))
    let other = try RawClient(host)
    #expect(other.outcome() == .failed(.busy))
    #expect(try delay() < Self.bound / 10)
    try isServedAgain()
  }
}
