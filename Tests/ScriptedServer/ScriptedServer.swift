import Foundation
import Glibc
import Linux
import TemporaryFolder
import Wire

/// A server that follows a script instead of thinking: what it is told to send, in order, waiting
/// for messages where the script says so. Each connection follows the next script.
public final class ScriptedServer: @unchecked Sendable {
  public enum Step: Sendable {
    /// Waits for the client's next message. A secret before it is recorded with it.
    case receive
    case send(ServerMessage)
    case secret([UInt8])
    /// Bytes as they are, without a frame.
    case raw([UInt8])
    case pause(milliseconds: UInt32)
    /// Waits until the client closes.
    case untilClosed
    case close
  }

  /// What a client sent, in order.
  public enum Received: Equatable, Sendable {
    case message(ClientMessage)
    case secret([UInt8])
    case closed
    case malformed([UInt8])
  }

  private let lock = NSCondition()
  private var scripts: [[Step]]
  private var record: [Received] = []
  private var running = 0
  private var listener: Int32 = -1
  private var folder: TemporaryFolder?

  /// - Parameter scripts: one for each connection, in order; the last one serves all further ones.
  public init(_ scripts: [Step]...) {
    self.scripts = scripts
  }

  public var received: [Received] {
    lock.withLock { record }
  }

  public var messages: [ClientMessage] {
    received.compactMap { if case .message(let message) = $0 { message } else { nil } }
  }

  public var secrets: [[UInt8]] {
    received.compactMap { if case .secret(let secret) = $0 { secret } else { nil } }
  }

  /// Waits until the client sent something that `test` wants, 5 seconds at most.
  public func waits(for test: (Received) -> Bool) -> Bool {
    let limit = Date(timeIntervalSinceNow: 5)
    return lock.withLock {
      while !record.contains(where: test) {
        if !lock.wait(until: limit) { return false }
      }
      return true
    }
  }

  /// Serves one end of a pair; the other is the client's.
  public func pair() throws -> StreamSocket {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw SystemError(code: errno, call: "socketpair") }
    let server = ends[1]
    Thread.detachNewThread { self.serve(server) }
    return StreamSocket(OwnedDescriptor(owning: ends[0]))
  }

  /// Listens on a socket in a folder of its own. - Returns: the socket's path.
  public func listen() throws -> String {
    let folder = try TemporaryFolder()
    let path = folder("s")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, Glibc.listen(descriptor, 16) == 0 else {
      throw SystemError(code: errno, call: "bind")
    }
    listener = descriptor
    self.folder = folder
    // The thread keeps the server for as long as the tests run: a test holds only the path.
    Thread.detachNewThread {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
    return path
  }

  private func serve(_ descriptor: Int32) {
    let script = lock.withLock { scripts.count > 1 ? scripts.removeFirst() : scripts[0] }
    defer { Glibc.close(descriptor) }
    for step in script {
      switch step {
      case .receive: guard receive(descriptor) else { return }
      case .send(let message): write(FrameHeader.frame(message.encoded), descriptor)
      case .secret(let bytes):
        write(FrameHeader(secretCount: bytes.count).encoded + bytes, descriptor)
      case .raw(let bytes): write(bytes, descriptor)
      case .pause(let milliseconds): usleep(milliseconds * 1000)
      case .untilClosed: while receive(descriptor) {}
      case .close:
        // Whoever is told of it finds it closed.
        shutdown(descriptor, Int32(SHUT_RDWR))
        note(.closed)
        return
      }
    }
  }

  /// Reads one message and the secrets before it. - Returns: false at the end.
  private func receive(_ descriptor: Int32) -> Bool {
    while true {
      guard let head = read(5, descriptor), let header = try? FrameHeader(head.span),
        let body = read(header.bodyCount, descriptor)
      else {
        note(.closed)
        return false
      }
      if header.isSecret {
        note(.secret(body))
        continue
      }
      let bytes = [header.type] + body
      note((try? ClientMessage(bytes)).map(Received.message) ?? .malformed(bytes))
      return true
    }
  }

  private func note(_ received: Received) {
    lock.withLock {
      record.append(received)
      lock.broadcast()
    }
  }

  private func read(_ count: Int, _ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let taken = bytes.withUnsafeMutableBytes {
        Glibc.read(descriptor, $0.baseAddress! + done, count - done)
      }
      guard taken > 0 else { return nil }
      done += taken
    }
    return bytes
  }

  private func write(_ bytes: [UInt8], _ descriptor: Int32) {
    var done = 0
    while done < bytes.count {
      let taken = bytes.withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress! + done, bytes.count - done, Int32(MSG_NOSIGNAL))
      }
      guard taken > 0 else { return }
      done += taken
    }
  }
}

extension [ScriptedServer.Step] {
  /// What comes before every script's own part: hello, and the first request with it.
  public static var greeting: Self { [.receive, .send(.hello(version: 1)), .receive] }
}
