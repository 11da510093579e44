import Foundation
import TestHost
import Testing

/// A keyring that asks the person to unlock it.
@Suite(.serialized) final class SealedPromptTests {
  private func start(_ it: SealedHost, answering answer: String) throws -> (Child, String) {
    let script = URL(filePath: #filePath).deletingLastPathComponent().path + "/secret-service.py"
    let notes = it.host.folder + "/keyring/prompts"
    let child = try Child(
      it.environment + ["/usr/bin/python3", script, answer, notes],
      environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"], user: PrivateHost.games,
      error: it.host.folder + "/secret-service.log")
    try it.host.wait("the keyring") {
      try it.host.run(
        it.environment + [
          "/usr/bin/dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets",
          "/org/freedesktop/secrets", "org.freedesktop.DBus.Peer.Ping",
        ], user: PrivateHost.games
      ).status == 0
    }
    return (child, notes)
  }

  private func prompts(_ path: String) -> Int {
    (try? String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count) ?? 0
  }

  @Test func `a locked keyring's own prompt unlocks it, for a read and for an add`() throws {
    let it = try SealedHost(isEmpty: true)
    let (keyring, notes) = try start(it, answering: "unlock")
    defer { keyring.end() }
    try it.add("a", "one")
    try it.it.client("lock")
    #expect(try it.whorl("read", "--no-interaction", "a").status == 36)
    #expect(prompts(notes) == 0)
    #expect(try it.read("a") == "one")
    #expect(prompts(notes) == 1)
    try it.it.client("lock")
    try it.add("b", "two")
    #expect(prompts(notes) == 2)
    #expect(try it.read("b") == "two")
  }

  @Test func `a prompt that is dismissed is a locked keyring, and nothing is stored`() throws {
    let it = try SealedHost(isEmpty: true)
    let (keyring, notes) = try start(it, answering: "dismiss")
    defer { keyring.end() }
    try it.add("a", "one")
    try it.it.client("lock")
    for words in [["read", "a"], ["add", "b", "--store", "secret-service"]] {
      let result = try it.host.whorl(words, input: "x", prefix: it.environment, seconds: 60)
      #expect(result.status == 36 && result.error.contains("your keyring is locked"), "\(result)")
    }
    #expect(prompts(notes) == 2)
    #expect(try it.rows().map(\.name) == ["a"])
  }
}
