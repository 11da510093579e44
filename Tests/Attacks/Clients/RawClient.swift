import AccessControl
import Foundation
import Glibc
import TestHost
import Wire

/// A client that keeps to no rule: it connects as whatever user it likes, sends whatever bytes it
/// likes, and reads or does not.
final class RawClient {
  enum Received: Equatable {
    case message(ServerMessage)
    case secret(String)
    /// The daemon closed the connection.
    case closed
    /// Nothing came in time.
    case nothing
  }

  let descriptor: Int32
  private var bytes: [UInt8] = []
  private var isClosed = false
  /// Received, and to be received again.
  private var seen: Received?

  /// - Parameter user: whom the kernel records as the peer.
  init(_ host: PrivateHost, user: uid_t = PrivateHost.games) throws {
    descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(host.socket.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    seteuid(user)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    let code = errno
    seteuid(0)
    guard result == 0 else { throw PrivateHost.Missing("cannot connect: \(code)") }
  }

  /// A connection that somebody else opened.
  init(taking descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { leave() }

  func leave() {
    guard !isClosed else { return }
    isClosed = true
    close(descriptor)
  }

  // MARK: Sending

  /// Sends what the socket takes within five seconds.
  /// - Returns: whether it took all.
  @discardableResult
  func send(_ bytes: [UInt8], flags: Int32 = 0) -> Bool {
    var sent = 0
    while sent < bytes.count {
      var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&poller, 1, 5000) > 0 else { return false }
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(
          descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT) | flags)
      }
      guard count > 0 || errno == EAGAIN else { return false }
      sent += max(0, count)
    }
    return true
  }

  /// No more bytes come from this side.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// What is sent to this side from now on finds nobody.
  func finishReceiving() { shutdown(descriptor, Int32(SHUT_RD)) }

  @discardableResult
  func send(_ messages: ClientMessage...) -> Bool { send(messages.flatMap(Raw.frame)) }

  /// Says hello and asks, in one write.
  func ask(_ operation: Wire.Operation, context: UInt32 = 0, reuse: UInt32 = 0) {
    send(
      .hello(ClientHello()),
      .request(Request(operation, context: context, reuse: reuse)))
  }

  /// Asks on a connection that has said hello.
  func askAgain(_ operation: Wire.Operation, context: UInt32 = 0, reuse: UInt32 = 0) {
    send(.request(Request(operation, context: context, reuse: reuse)))
  }

  func type(_ password: String, at prompt: UInt32, _ factor: Factor = .devicePasscode) {
    send(Raw.secret(password) + Raw.frame(.answer(prompt: prompt, factor)))
  }

  /// Types a password again for as long as another check keeps it from being tried.
  func enter(_ password: String, at prompt: UInt32) -> Outcome {
    for _ in 0..<200 {
      type(password, at: prompt)
      var received = next()
      if received == .message(.step(.armed(prompt: prompt))) { received = next() }
      let untried = Notice(.passcodeNotTried, seconds: 1)
      guard received == .message(.step(.notice(prompt: prompt, untried))) else {
        seen = received
        return outcome()
      }
      usleep(20_000)
    }
    return .nothing
  }

  // MARK: Receiving

  func next(seconds: Double = 10) -> Received {
    if let seen {
      self.seen = nil
      return seen
    }
    let limit = Date().addingTimeInterval(seconds)
    while true {
      if let frame = takeFrame() { return frame }
      let rest = limit.timeIntervalSinceNow
      var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard rest > 0, poll(&poller, 1, Int32(rest * 1000) + 1) > 0 else { return .nothing }
      var buffer = [UInt8](repeating: 0, count: 65536)
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return .closed }
      bytes += buffer[..<count]
    }
  }

  /// Everything until the daemon closes or nothing comes for a while.
  func rest(seconds: Double = 10) -> [Received] {
    var all: [Received] = []
    while true {
      let received = next(seconds: seconds)
      all.append(received)
      if received == .closed || received == .nothing { return all }
    }
  }

  /// The next prompt to show; notices of a queue before it are passed over.
  func prompt(seconds: Double = 10) throws -> Prompt {
    while true {
      switch next(seconds: seconds) {
      case .message(.step(.show(let prompt))): return prompt
      case .message(.hello), .message(.step), .message(.store): continue
      case let other: throw PrivateHost.Missing("no prompt but \(other)")
      }
    }
  }

  /// Shows the next prompt, as an honest client would.
  func show(seconds: Double = 10) throws -> Prompt {
    let prompt = try prompt(seconds: seconds)
    send(.shown(prompt: prompt.id))
    return prompt
  }

  /// How the request ended, with the secrets that came before; steps on the way are passed over.
  func outcome(seconds: Double = 10) -> Outcome {
    var secrets: [String] = []
    while true {
      switch next(seconds: seconds) {
      case .message(.hello), .message(.step), .message(.store): continue
      case .secret(let secret): secrets.append(secret)
      case .message(.done(.secrets)): return .secrets(secrets)
      case .message(.done): return .done
      case .message(.failed(let failure)): return .failed(failure.code)
      case .closed: return .closed
      case .nothing: return .nothing
      }
    }
  }

  enum Outcome: Equatable {
    case secrets([String])
    case done
    case failed(FailureCode)
    case closed
    case nothing
  }

  private func takeFrame() -> Received? {
    guard let (length, type) = try? header(), bytes.count >= length else { return nil }
    let frame = bytes[4..<length]
    defer { bytes.removeFirst(length) }
    if type == FrameHeader.secretType {
      return .secret(String(decoding: frame.dropFirst(), as: UTF8.self))
    }
    guard let message = try? ServerMessage(Array(frame)) else { return .closed }
    return .message(message)
  }

  private func header() throws -> (length: Int, type: UInt8)? {
    guard bytes.count >= FrameHeader.count else { return nil }
    let start = Array(bytes[..<FrameHeader.count])
    let header = try FrameHeader(start.span)
    return (FrameHeader.count + header.bodyCount, header.type)
  }
}
