import Foundation
import Glibc
import HostAuthentication
import Linux
import SecretMemory
import TestHost
import Testing
import Wire

@Suite(.serialized) final class PrintReaderTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
  }

  private func read(_ print: [UInt8]) throws -> PrintReaderReply {
    let socket = try StreamSocket(connectingTo: Array(host.readerSocket.utf8))
    let message = WorkerFrame.header(count: print.count) + print
    var sent = 0
    var inbox = WorkerInbox()
    var reply: PrintReaderReply?
    try host.wait("the print reader") {
      if sent < message.count, case .moved(let count) = socket.send(message.span, from: sent) {
        sent += count
      }
      var buffer = [UInt8](repeating: 0, count: 4096)
      var span = buffer.mutableSpan
      if case .moved(let count) = socket.receive(into: &span) { inbox.append(buffer[..<count]) }
      reply = try inbox.next().map { try PrintReaderReply(decoding: $0) }
      return reply != nil
    }
    return reply!
  }

  @Test func `an enrolled print tells finger, driver, day and storage`() throws {
    try host.startFingerprints()
    try host.enroll("alice", user: "games")
    let print = try #require(
      FileManager.default.enumerator(atPath: host.prints)?.compactMap { $0 as? String }
        .first { $0.hasSuffix("/7") })
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(host.prints)/\(print)")))
    guard case .print(let facts) = try read(bytes) else {
      Issue.record("not read as a print")
      return
    }
    #expect(facts.finger == 7)
    #expect(facts.driver == "virtual_device_storage")
    #expect(facts.isDeviceStored)
    #expect(facts.user == "games")
    #expect(facts.enrolled != nil)
  }

  @Test(arguments: [[0x46], Array("FP3".utf8), [UInt8](repeating: 0xff, count: 100_000)])
  func `bytes that are no print are said so`(_ bytes: [UInt8]) throws {
    #expect(try read(bytes) == .notAPrint)
  }

  /// In libfprint an assertion fails for these: it ends that process, and no other.
  @Test func `a print that ends its reader is described by nobody`() throws {
    let fields: [UInt8] = Array("FP3\u{1}\0\0\0virtual_device_storage\0".utf8)
    let values: [UInt8] = [0x30, 0, 0, 7] + Array("alice".utf8) + [0, 0, 0, 0, 0xd0, 0x42, 0x0b]
    let ending: [UInt8] = [0, 0, 0, 0, 0, 0x78, 0, 0, 0x73, 0x30, 0x26, 0x26, 0x1d, 0x1b]
    let print = try SecretBytes(copying: (fields + values + ending).span)
    let describer = PrintDescriber(loop: host.loop, socket: host.readerSocket)
    let answer = try host.answer("the description") { describer.describe(print, $0) }
    #expect(answer == .none)
    #expect(try read(Array("FP3".utf8)) == .notAPrint)
  }
}
