import Foundation
import Testing
import Wire

/// The module speaks the protocol that is on disk.
struct MessageTests {
  private func vectors(_ name: String) throws -> [String: [UInt8]] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("WireTests/Vectors/\(name)")
    var vectors: [String: [UInt8]] = [:]
    for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] != "#" else { continue }
      let digits = Array(words[1])
      vectors[String(words[0])] = stride(from: 0, to: digits.count, by: 2).map {
        UInt8(String(digits[$0...($0 + 1)]), radix: 16) ?? 0
      }
    }
    // A loader that finds nothing would pass every check.
    try #require(vectors.count > 10)
    return vectors
  }

  private func frame(_ bytes: [UInt8]?) -> [UInt8] { bytes.map { FrameHeader.frame($0) } ?? [] }

  @Test func `its messages are the bytes on disk`() throws {
    let client = try vectors("client.txt")
    #expect(ModuleMessages.hello == frame(client["hello"]))
    #expect(ModuleMessages.shown(1) == frame(client["shown"]))
    for step in Login.Step.allCases {
      let login = Login(
        step, user: Array("ann".utf8), service: Array("gdm-fingerprint".utf8),
        terminal: Array("tty2".utf8), wantsSecret: step == .verify)
      #expect(ModuleMessages.request(login) == frame(client["request-login-\(step)"]), "\(step)")
    }
  }

  @Test func `it understands what a login is answered, and nothing else`() throws {
    let server = try vectors("server.txt")
    let known: [String: ServerAnswer] = [
      "hello": .hello(version: 1), "queued": .queued, "show": .show(prompt: 3), "armed": .armed,
      "done": .done, "done-secrets": .secrets(count: 2), "notice-noMatch": .notice(kind: 1),
      "notice-retryScan": .notice(kind: 2), "notice-liftFirst": .notice(kind: 3),
      "failed-authenticationFailed": .failed(code: 3), "failed-invalidated": .failed(code: 7),
      "failed-lockout": .failed(code: 8), "failed-passcodeFirst": .failed(code: 25),
    ]
    for (name, bytes) in server {
      if let answer = known[name] {
        #expect(ServerAnswer(bytes) == answer, "\(name)")
      } else if name.hasPrefix("done-") {
        #expect(ServerAnswer(bytes) == nil, "\(name)")
      }
      // Cut short it is nothing, or what its first fields say.
      for count in 0..<min(2, bytes.count) { #expect(ServerAnswer(Array(bytes[..<count])) == nil) }
    }
    #expect(known.keys.allSatisfy { server[$0] != nil })
  }
}
