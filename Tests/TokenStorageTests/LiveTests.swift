import Foundation
import Glibc
import TestHost
import Testing
import TokenExample

extension TokenStorageTests {
  /// The example as a program of an ordinary user's, against the daemon, with PAM and the virtual
  /// reader.
  @Suite final class LiveTests {
    private let host: PrivateHost
    private let program: String

    init() throws {
      host = try PrivateHost()
      try host.startAll()
      // Where every user can reach it.
      program = "\(host.folder)/token-example"
      try host.copy("\(PrivateHost.programs)/token-example", program)
    }

    private func output(_ arguments: String..., environment: [String] = []) throws -> String {
      let words = ["/usr/bin/env"] + environment + [program] + arguments
      let result = try host.run(words, user: PrivateHost.games, seconds: 30)
      #expect(result.status == 0, "\(result.error)")
      return result.output.trimmingCharacters(in: .newlines)
    }

    private func terminal(_ arguments: String...) throws -> Terminal {
      try host.terminal(program: [program] + arguments)
    }

    @Test func `the keychain's store keeps the contract, and removing all leaves nothing`() throws {
      let lines = try output("contract").split(separator: "\n").map(String.init)
      #expect(lines == StoreContract.rules.map { "ok: \($0.name)" })
      #expect(!lines.isEmpty)
    }

    @Test func `a gated item is saved without a prompt, and read by a touch`() throws {
      try host.enroll("alice", user: "games")
      #expect(try output("save-gated", "one") == "saved")
      #expect(try output("save-gated", "two") == "saved")
      let read = try terminal("read-gated")
      try read.expect("to show it")
      try read.expect(PrivateHost.touchOrType)
      try host.scan("alice")
      try read.expect("two")
      #expect(try read.status() == 0)
      let other = try terminal("read-gated")
      try other.expect(PrivateHost.touchOrType)
      other.interrupt()
      try other.expect("Reading from the keychain failed: The person cancelled.")
      // And replaced by one that opens for the program alone.
      #expect(try output("save-open", "three") == "saved")
      #expect(try output("read-gated") == "three")
    }

    @Test func `a sign-in by a touch serves the read that follows`() throws {
      try host.enroll("alice", user: "games")
      #expect(try output("save-gated", "one") == "saved")
      let read = try terminal("sign-in-and-read")
      try read.expect(PrivateHost.touch)
      try host.scan("alice")
      try read.expect("one")
      #expect(try read.status() == 0)
      #expect(read.output.components(separatedBy: "Touch").count == 2)
    }

    @Test func `an item of the current fingers is nothing after others were enrolled`() throws {
      try host.enroll("alice", user: "games")
      #expect(try output("save-dying", "one") == "saved")
      try host.enroll("bob", finger: "left-thumb", user: "games")
      #expect(try output("read-dying") == "nothing")
      #expect(try output("save-dying", "two") == "saved")
    }

    @Test func `another process finds the token after a restart of the daemon`() throws {
      let server = try APIServer()
      #expect(try output("state") == "signedOut")
      #expect(try output("login", server.url.absoluteString) == "hello alice")
      try host.restartDaemon()
      #expect(try output("state") == "signedIn")
      #expect(try output("get", server.url.absoluteString) == "hello alice")
      try server.tell("expire")
      #expect(try output("get", server.url.absoluteString) == "hello alice")
      // What the refresh gave is written, too.
      try host.restartDaemon(signal: SIGKILL)
      #expect(try output("get", server.url.absoluteString) == "hello alice")
      #expect(try server.requests().last == "/me Bearer access2")
      #expect(try output("logout") == "signedOut")
      #expect(try output("get", server.url.absoluteString) == "signedOut")
      #expect(try output("left") == "[]")
    }

    @Test func `a locked keychain is signed out, and says why`() throws {
      _ = try output("strict-login")
      #expect(try output("strict-state") == "signedIn")
      try host.lockSession("c1", true)
      try host.wait("the lock") {
        try self.output("strict-state").hasPrefix("signedOut: Reading from the keychain failed:")
      }
      try host.unlockSession("c1")
      try host.wait("the unlock") { try self.output("strict-state") == "signedIn" }
    }

    @Test func `a missing keychain is signed out at once, and says why`() throws {
      _ = try output("strict-login")
      host.stop("whorld", signal: SIGKILL)
      let start = ContinuousClock.now
      #expect(try output("strict-state").hasPrefix("signedOut: The keychain is not there:"))
      #expect(ContinuousClock.now - start < .seconds(5))
      unlink(host.socket)
      #expect(try output("strict-state").hasPrefix("signedOut: The keychain is not there:"))
    }

    @Test func `a hung keychain is signed out within the limit, and says why`() throws {
      _ = try output("strict-login")
      host.stop("whorld", signal: SIGSTOP)
      defer { host.stop("whorld", signal: SIGCONT) }
      let start = ContinuousClock.now
      #expect(try output("strict-state") == "signedOut: The keychain did not answer in time.")
      #expect(ContinuousClock.now - start < .seconds(10))
    }

    @Test func `the service of one file keeps its token over processes`() throws {
      #expect(try output("service-token") == "none")
      #expect(try output("service", "one") == "true")
      #expect(try output("service", "two") == "true")
      #expect(try output("service-token") == "two")
      try host.restartDaemon()
      #expect(try output("service-token") == "two")
      #expect(try output("service-delete") == "true")
      #expect(try output("service-token") == "none")
    }

    @Test func `user defaults are a plain file below the home, and keep an identifier`() throws {
      let home = "\(host.folder)/home"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
      chown(home, PrivateHost.games, PrivateHost.games)
      #expect(
        try output("plain-contract", environment: ["HOME=\(home)"])
          == PlainContract.rules.map { "ok: \($0.name)" }.joined(separator: "\n"))
      let first = try output("cart", environment: ["HOME=\(home)"])
      #expect(UUID(uuidString: first) != nil)
      #expect(try output("cart", environment: ["HOME=\(home)"]) == first)
      let files = try FileManager.default.subpathsOfDirectory(atPath: home)
      let plain = files.filter { $0.hasPrefix(".config/") && $0.contains("token-example") }
      #expect(plain.count == 1, "\(files)")
      _ = try output("cart-reset", environment: ["HOME=\(home)"])
      #expect(try output("cart", environment: ["HOME=\(home)"]) != first)
    }
  }
}
