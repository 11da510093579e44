import Foundation
import Linux
import TemporaryFolder
import Testing

struct SocketTests {
  private let folder: TemporaryFolder
  private let listener: ListeningSocket

  init() throws {
    folder = try TemporaryFolder()
    listener = try ListeningSocket(path: folder("socket"))
  }

  private func connect() throws -> (client: StreamSocket, server: OwnedDescriptor) {
    let client = try StreamSocket(connectingTo: folder("socket"))
    return (client, try #require(try listener.accept()))
  }

  @Test func `a socket left by an earlier run is replaced`() throws {
    let second = try ListeningSocket(path: folder("socket"))
    _ = try StreamSocket(connectingTo: folder("socket"))
    #expect(try second.accept() != nil)
    #expect(try listener.accept() == nil)
  }

  @Test func `no connection waits, none is accepted`() throws {
    #expect(try listener.accept() == nil)
  }

  @Test func `the peer is the one that connected`() throws {
    let (client, server) = try connect()
    let peer = try Peer(of: server)
    #expect(peer.user == geteuid())
    #expect(peer.process == getpid())
    #expect(peer.isAlive)
    withExtendedLifetime(client) {}
  }

  @Test func `a path that is too long is an error, not another path`() {
    let path = folder(String(repeating: "x", count: 108))
    #expect(throws: SystemError.self) { try ListeningSocket(path: path) }
    #expect(throws: SystemError.self) { try StreamSocket(connectingTo: path) }
  }

  @Test func `a transfer does not wait`() throws {
    let (client, server) = try connect()
    var buffer = [UInt8](repeating: 0, count: 16)
    var span = buffer.mutableSpan
    #expect(SocketTransfer.receive(server, into: &span) == .wouldBlock)
    let message: [UInt8] = [1, 2, 3, 4]
    #expect(SocketTransfer.send(client.descriptor, message.span, 1..<3) == .bytes(2))
    #expect(SocketTransfer.receive(server, into: &span) == .bytes(2))
    #expect(buffer.prefix(2) == [2, 3])
  }

  @Test func `a full socket takes no more`() throws {
    let (client, server) = try connect()
    let bytes = [UInt8](repeating: 0, count: 65_536)
    var outcome = SocketTransfer.Outcome.bytes(0)
    for _ in 0..<1000 {
      outcome = SocketTransfer.send(client.descriptor, bytes.span, 0..<bytes.count)
      if outcome == .wouldBlock { break }
    }
    #expect(outcome == .wouldBlock)
    withExtendedLifetime(server) {}
  }

  @Test func `a peer that is gone ends the connection, without a signal`() throws {
    let client: StreamSocket
    do {
      let (near, far) = try connect()
      client = near
      withExtendedLifetime(far) {}
    }
    let bytes: [UInt8] = [1]
    #expect(SocketTransfer.send(client.descriptor, bytes.span, 0..<1) == .ended)
    #expect(client.receive() == .ended)
  }
}
