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

  private func client() throws -> StreamSocket {
    try StreamSocket(connectingTo: Array(folder("socket").utf8))
  }

  private func connect() throws -> (client: StreamSocket, server: StreamSocket) {
    let client = try client()
    return (client, StreamSocket(try #require(try listener.accept())))
  }

  @Test func `a socket left by an earlier run is replaced`() throws {
    let second = try ListeningSocket(path: folder("socket"))
    _ = try client()
    #expect(try second.accept() != nil)
    #expect(try listener.accept() == nil)
  }

  @Test func `no connection waits, none is accepted`() throws {
    #expect(try listener.accept() == nil)
  }

  @Test func `the peer is the one that connected`() throws {
    let client = try client()
    let peer = try Peer(of: try #require(try listener.accept()))
    #expect(peer.user == geteuid())
    #expect(peer.process == getpid())
    #expect(peer.isAlive)
    let file = try #require(FileFacts(path: "/proc/self/exe"))
    let program = try #require(peer.program())
    #expect((program.device, program.inode) == (file.device, file.inode))
    let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #expect(program.path == Array(path.utf8))
    #expect(try client.peerUser() == geteuid())
    #expect(program.userNamespace == ProcessFacts.ownUserNamespace)
  }

  @Test func `of a peer that is gone nothing is known`() throws {
    let (peer, child, input) = try peer(thatRuns: "input()")
    #expect(peer.program()?.userNamespace == ProcessFacts.ownUserNamespace)
    try input.close()
    child.waitUntilExit()
    #expect(!peer.isAlive)
    #expect(peer.program() == nil)
  }

  @Test func `a peer that becomes another program is told by the file`() throws {
    let (peer, child, input) = try peer(
      thatRuns: "input(); import os; os.execv('/bin/sleep', ['sleep', '60'])")
    let before = try #require(peer.program())
    try input.write(contentsOf: Data("\n".utf8))
    let limit = Date(timeIntervalSinceNow: 10)
    while peer.program() == before, Date() < limit { usleep(1000) }
    let now = try #require(peer.program())
    #expect(now != before && String(decoding: now.path, as: UTF8.self).hasSuffix("sleep"))
    #expect(peer.isAlive)
    child.terminate()
  }

  /// A child that has connected, and runs a line of Python then.
  private func peer(thatRuns line: String) throws -> (Peer, Process, FileHandle) {
    let child = Process()
    child.executableURL = URL(filePath: "/usr/bin/python3")
    child.arguments = [
      "-c",
      "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); \(line)",
      folder("socket"),
    ]
    let input = Pipe()
    child.standardInput = input
    try child.run()
    var accepted: OwnedDescriptor?
    while accepted == nil, child.isRunning { accepted = try listener.accept() }
    return (try Peer(of: try #require(accepted)), child, input.fileHandleForWriting)
  }

  @Test func `a path that is too long is an error, not another path`() {
    let path = folder(String(repeating: "x", count: 108))
    #expect(throws: SystemError.self) { try ListeningSocket(path: path) }
    #expect(throws: SystemError.self) { try StreamSocket(connectingTo: Array(path.utf8)) }
  }

  @Test func `a transfer does not wait`() throws {
    let (client, server) = try connect()
    var buffer = [UInt8](repeating: 0, count: 16)
    var span = buffer.mutableSpan
    #expect(server.receive(into: &span) == .wouldBlock)
    let message: [UInt8] = [1, 2, 3]
    #expect(client.send(message.span, from: 1) == .moved(2))
    #expect(server.receive(into: &span, from: 4) == .moved(2))
    #expect(buffer.prefix(6) == [0, 0, 0, 0, 2, 3])
  }

  @Test func `a full socket takes no more`() throws {
    let (client, server) = try connect()
    let bytes = [UInt8](repeating: 0, count: 65_536)
    var progress = StreamSocket.Progress.moved(0)
    for _ in 0..<1000 {
      progress = client.send(bytes.span, from: 0)
      if progress == .wouldBlock { break }
    }
    #expect(progress == .wouldBlock)
    withExtendedLifetime(server) {}
  }

  @Test func `a peer that is gone ends the connection, without a signal`() throws {
    let client: StreamSocket
    do {
      let (near, far) = try connect()
      client = near
      withExtendedLifetime(far) {}
    }
    var bytes: [UInt8] = [1]
    #expect(client.send(bytes.span, from: 0) == .ended)
    var span = bytes.mutableSpan
    #expect(client.receive(into: &span) == .ended)
  }

  @Test(arguments: [0, 60])
  func `where nobody accepts, a connection waits for room only so long`(_ patience: Int) throws {
    // The shortest queue holds one connection; the rest find no room.
    try #require(Glibc.listen(listener.descriptor.raw, 0) == 0)
    let first = try client()
    let start = BootClock.milliseconds()
    #expect(throws: SystemError(code: EAGAIN, call: "connect")) {
      try StreamSocket(connectingTo: Array(folder("socket").utf8), patience: patience)
    }
    #expect(BootClock.milliseconds() - start >= UInt64(patience))
    withExtendedLifetime(first) {}
  }
}
