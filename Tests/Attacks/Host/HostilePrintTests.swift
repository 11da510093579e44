import Foundation
import Glibc
import HostAuthentication
import SecretMemory
import TestHost
import Testing
import Wire

/// What comes of prints that are made to hurt whoever parses them, and of a parser that was hurt.
@Suite(.serialized) final class HostilePrintTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
  }

  private func describe(_ bytes: [UInt8]) throws -> PrintFacts? {
    let describer = PrintDescriber(loop: host.loop, socket: host.readerSocket)
    let print = try SecretBytes(copying: bytes.span)
    return try host.answer("a description", seconds: 5) { (done: @escaping (PrintFacts?) -> Void) in
      describer.describe(print) {
        withExtendedLifetime(describer) {}
        if case .print(let facts) = $0 { done(facts) } else { done(nil) }
      }
    }
  }

  @Test func `a print with any byte changed, cut or added harms at most its own reader`() throws {
    let path = "\(host.folder(ofPrintsOf: "games"))/virtual_device_storage/0/7"
    let real = Array(try #require(FileManager.default.contents(atPath: path)))
    #expect(try describe(real)?.finger == 7)
    var changed: [[UInt8]] = real.indices.flatMap { index in
      [real[index], 1, 0x7f, 0xff].map { mask in
        var bytes = real
        bytes[index] ^= mask
        return bytes
      }
    }
    changed += real.indices.dropFirst().map { Array(real[..<$0]) }
    changed += [real + real, real + [UInt8](repeating: 0xff, count: 60_000)]
    for bytes in changed.shuffled().prefix(80) {
      guard let facts = try describe(bytes) else { continue }
      #expect(facts.finger <= 10)
      #expect((facts.driver + facts.device + facts.user).utf8.count <= 768)
    }
    #expect(try describe(real)?.finger == 7)
    #expect(try host.whorl(["status"]).status == 0)
  }

  /// A reader that was taken over by a print: it holds no key and reaches no file, and what it says
  /// is shown as text.
  private func impostor(_ body: String) throws -> Terminal {
    host.stop("reader")
    unlink(host.readerSocket)
    let script = """
      import socket, sys, time
      server = socket.socket(socket.AF_UNIX)
      server.bind(sys.argv[1])
      server.listen(64)
      print('listens', flush=True)
      kept = []
      while True:
          client, _ = server.accept()
          kept.append(client)
          try:
              \(body)
          except OSError: pass
      """
    let terminal = try host.terminal(
      program: ["/usr/bin/python3", "-c", script, host.readerSocket], user: nil)
    try terminal.expect("listens")
    return terminal
  }

  private func status() throws -> CommandResult {
    let start = ContinuousClock.now
    let status = try host.whorl(["status"])
    #expect(ContinuousClock.now - start < .seconds(4))
    #expect(status.status == 0, "\(status.error)")
    #expect(
      !status.output.contains("\u{1b}") && !status.output.contains("\nitem"), "\(status.output)")
    return status
  }

  @Test func `a print reader that hangs costs two seconds in all, and others nothing`() throws {
    for finger in ["left-thumb", "left-index-finger", "left-middle-finger"] {
      try host.enroll(finger, finger: finger, user: "games")
    }
    let reader = try impostor("pass")
    let asked = try host.terminal(["status"])
    #expect(try host.whorl(["list"]).status == 0)
    #expect(try asked.status(seconds: 8) == 0, "\(asked.output)")
    #expect(asked.output.contains("left thumb"), "\(asked.output)")
    withExtendedLifetime(reader) {}
  }

  @Test func `a print reader that was taken over tells nothing but text`() throws {
    for body in [
      "client.close()", "client.sendall(b'\\xff' * 100000)", "client.sendall(bytes(4))",
      "client.sendall(bytes([0, 1, 0xff, 0xff]) + bytes(100))",
      "client.sendall(bytes([0, 0, 0, 2, 1, 255]))",
      // A print of finger 7 whose driver is "ESC [ 3 1 m LF item".
      "client.sendall(bytes([0, 0, 0, 26, 1, 7, 0, 0, 0, 10]) + b'\\x1b[31m\\nitem' + bytes(10))",
    ] {
      let reader = try impostor(body)
      #expect(try status().output.contains("finger"), "\(body)")
      withExtendedLifetime(reader) {}
    }
  }
}
