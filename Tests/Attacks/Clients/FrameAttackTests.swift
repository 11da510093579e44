import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// Bytes that no honest client sends.
@Suite(.serialized, .host("shown-limit = 1000")) final class FrameAttackTests {
  let host: PrivateHost
  let daemon: pid_t
  let descriptors: Int
  private let valid = Raw.hello + Raw.frame(Raw.read("open"))

  init() throws {
    host = try OneHost.get()
    try host.store("open", replacing: true)
    try host.store("gated", "devicePasscode", replacing: true)
    daemon = host.daemon
    descriptors = try host.descriptorsAtRest()
  }

  /// Sends bytes and nothing after them, and reads all that comes.
  private func answer(to bytes: [UInt8]) throws -> [RawClient.Received] {
    let client = try RawClient(host)
    client.send(bytes)
    client.finishSending()
    return client.rest()
  }

  private func releases(_ received: [RawClient.Received]) -> Bool {
    received.contains { if case .secret = $0 { true } else { false } }
  }

  /// Whether the bytes begin with a hello and a request that may be answered with the secret.
  private func asksForOpen(_ bytes: [UInt8]) -> Bool {
    var messages: [ClientMessage] = []
    var rest = bytes[...]
    while rest.count >= FrameHeader.count {
      let start = Array(rest.prefix(FrameHeader.count))
      guard let header = try? FrameHeader(start.span),
        rest.count >= FrameHeader.count + header.bodyCount
      else { break }
      let end = rest.startIndex + FrameHeader.count + header.bodyCount
      guard !header.isSecret,
        let message = try? ClientMessage(Array(rest[(rest.startIndex + 4)..<end]))
      else { break }
      messages.append(message)
      rest = rest[end...]
    }
    guard messages.count >= 2, case .hello(let hello) = messages[0],
      hello.version == ClientHello.version, case .request(let request) = messages[1],
      case .read(let items) = request.operation
    else { return false }
    return items == [Raw.item("open")]
  }

  @Test func `a conversation cut anywhere releases nothing`() throws {
    for count in 0..<valid.count {
      let received = try answer(to: Array(valid[..<count]))
      #expect(!releases(received) && received.last == .closed, "cut at \(count): \(received)")
    }
    #expect(releases(try answer(to: valid)))
    try host.isUnharmed(since: daemon, descriptors: descriptors)
  }

  @Test func `a conversation with any byte changed is answered, refused or closed`() throws {
    var released = 0
    for index in valid.indices {
      for change in 1...255 as ClosedRange<UInt8> where change.nonzeroBitCount < 3 {
        var bytes = valid
        bytes[index] ^= change
        let received = try answer(to: bytes)
        #expect(received.last == .closed, "\(index) ^ \(change): \(received)")
        if releases(received) {
          released += 1
          #expect(asksForOpen(bytes), "\(index) ^ \(change)")
        }
      }
    }
    // The context, the reuse and whether a person may be asked are the asker's to choose.
    #expect(released > 10)
    try host.isUnharmed(since: daemon, descriptors: descriptors)
  }

  @Test func `junk at any point of a conversation ends it`() throws {
    for count in 0..<valid.count {
      // A length over every limit, then anything.
      let junk = [0xff, 0xff, 0xff] + (0..<64).map { UInt8(truncatingIfNeeded: $0 * 37 + count) }
      let received = try answer(to: Array(valid[..<count]) + junk)
      #expect(!releases(received) && received.last == .closed, "at \(count), \(junk): \(received)")
    }
    try host.isUnharmed(since: daemon, descriptors: descriptors)
  }

  @Test func `a conversation that comes one byte at a time is understood`() throws {
    let client = try RawClient(host)
    for byte in valid { client.send([byte]) }
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `an answer cut or changed at any point opens nothing, and the queue is free after it`()
    throws
  {
    let password = Array(PrivateHost.password.utf8)
    for index in 0..<(9 + 5 + password.count + 10) {
      for isCut in [true, false] {
        let client = try RawClient(host)
        client.ask(.read([Raw.item("gated")]))
        let prompt = try client.prompt()
        var bytes =
          Raw.frame(.shown(prompt: prompt.id)) + Raw.secret(PrivateHost.password)
          + Raw.frame(.answer(prompt: prompt.id, .devicePasscode))
        // A changed password is another guess, which other tests make.
        let isPassword = (14..<14 + password.count).contains(index)
        if isCut { bytes = Array(bytes[..<index]) } else if !isPassword { bytes[index] ^= 0x5a }
        guard isCut || !isPassword else { continue }
        client.send(bytes)
        client.finishSending()
        let received = client.rest()
        #expect(!releases(received) && received.last == .closed, "\(index): \(received)")
      }
    }
    try host.isUnharmed(since: daemon, descriptors: descriptors)
    let client = try RawClient(host)
    client.ask(.read([Raw.item("gated")]))
    client.type(PrivateHost.password, at: try client.show().id)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `an empty frame and one over its limit are refused by the header`() throws {
    for header: [UInt8] in [
      [0, 0, 0, 0, 1], [0, 1, 0, 1, 2], [0xff, 0xff, 0xff, 0xff, 2], [0, 0x10, 0, 2, 0xff],
      [0x7f, 0xff, 0xff, 0xff, 0xff],
    ] {
      let client = try RawClient(host)
      client.send(Raw.hello + header)
      let refusal = RawClient.Received.message(.failed(Failure(.protocolViolation)))
      #expect(client.rest() == [.message(.hello(version: 1)), refusal, .closed])
    }
  }

  @Test func `a message that only the daemon sends ends the connection`() throws {
    for message in [
      ServerMessage.hello(version: 1), .done(.done), .step(.armed(prompt: 1)),
      .failed(Failure(.cancelled)),
    ] {
      let received = try answer(to: Raw.hello + FrameHeader.frame(message.encoded))
      #expect(received.contains(.message(.failed(Failure(.protocolViolation)))), "\(message)")
      #expect(!releases(received))
    }
    for type in UInt8(7)...254 {
      let received = try answer(to: Raw.hello + [0, 0, 0, 1, type])
      #expect(received.contains(.message(.failed(Failure(.protocolViolation)))), "\(type)")
    }
  }

  @Test func `a hello that is missing, late, repeated or of another version ends the connection`()
    throws
  {
    let violation = RawClient.Received.message(.failed(Failure(.protocolViolation)))
    let request = Raw.frame(Raw.read("open"))
    #expect(try answer(to: request) == [violation, .closed])
    #expect(
      try answer(to: Raw.hello + Raw.hello + request)
        == [.message(.hello(version: 1)), violation, .closed])
    for version in [0, 2, 0x0100_0000, UInt32.max] {
      let hello = Raw.frame(.hello(ClientHello(version: version)))
      #expect(try answer(to: hello + request) == [violation, .closed], "\(version)")
    }
    let silent = try RawClient(host)
    let slow = try RawClient(host)
    let start = ContinuousClock.now
    for byte in Raw.hello.dropLast() { slow.send([byte]) }
    #expect(silent.next() == .closed && slow.next() == .closed)
    let waited = ContinuousClock.now - start
    #expect(waited > .seconds(1.5) && waited < .seconds(8), "\(waited)")
  }

  @Test func `what one connection said opens nothing on another`() throws {
    var said: [UInt8] = Raw.hello + Raw.frame(Raw.read("gated"))
    let first = try RawClient(host)
    first.send(said)
    let prompt = try first.show()
    first.type(PrivateHost.password, at: prompt.id)
    #expect(first.outcome() == .secrets([PrivateHost.secret]))
    said +=
      Raw.frame(.shown(prompt: prompt.id)) + Raw.secret(PrivateHost.password)
      + Raw.frame(.answer(prompt: prompt.id, .devicePasscode))
    let second = try RawClient(host)
    second.send(said)
    #expect(try second.prompt().id != prompt.id)
    #expect(second.outcome(seconds: 4) == .failed(.timedOut))
  }
}
