import Foundation
import Glibc
import TestHost
import Testing

/// Code as people write it for Apple's systems, in both language modes, against the daemon, with
/// PAM and the virtual reader.
@Suite(.serialized) final class AppleLiveTests {
  static let programs = ["apple-client-5", "apple-client-6"]
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.startAll()
    try host.enroll("alice", user: "games")
  }

  private func words(_ program: String, _ arguments: [String]) throws -> [String] {
    // Where every user can reach it.
    let path = "\(host.folder)/\(program)"
    if access(path, F_OK) != 0 { try host.copy("\(PrivateHost.programs)/\(program)", path) }
    return [path] + arguments
  }

  private func output(_ program: String, _ arguments: String...) throws -> String {
    let result = try host.run(words(program, arguments), user: PrivateHost.games, seconds: 30)
    #expect(result.status == 0, "\(result.error)")
    return result.output.trimmingCharacters(in: .newlines)
  }

  private func terminal(_ program: String, _ arguments: String...) throws -> Terminal {
    try host.terminal(program: words(program, arguments))
  }

  @Test(arguments: programs)
  func `ungated code works`(program: String) throws {
    #expect(try output(program, "wrapper") == "uno\na,b\nnot found\nb")
    #expect(
      try output(program, "data-accounts")
        == "0 true\nThere is such an item already.\ntrue\n[0, 1, 2, 255]\nalice\nweb\n443\n0 4\ntrue"
    )
    #expect(try output(program, "tokens") == "35")
  }

  @Test(arguments: programs)
  func `a gated read asks on the terminal with the program's words`(program: String) throws {
    #expect(try output(program, "store-presence", "mail") == "0")
    let read = try terminal(program, "read", "mail")
    try read.expect("to show it")
    try read.expect(PrivateHost.touchOrType)
    try host.scan("alice")
    try read.expect("secret of mail")
    #expect(try read.status() == 0)
    let cancelled = try terminal(program, "read", "mail")
    try cancelled.expect(PrivateHost.touchOrType)
    cancelled.interrupt()
    try cancelled.expect("-128")
    // Where nobody can be asked.
    #expect(try output(program, "read", "mail") == "-25308")
  }

  @Test(arguments: programs)
  func `evaluating a policy and reading with the same context asks once`(program: String) throws {
    #expect(try output(program, "store-presence", "mail") == "0")
    let read = try terminal(program, "evaluate-and-read", "mail")
    try read.expect(PrivateHost.touchOrType)
    read.type("sesame\n")
    try read.expect("secret of mail")
    #expect(try read.status() == 0)
    #expect(read.output.components(separatedBy: "Touch").count == 2)
  }

  @Test(arguments: programs)
  func `an item that fingerprints ended is not found, and can be added again`(program: String)
    throws
  {
    #expect(try output(program, "store-current-set", "mail") == "0")
    try host.enroll("bob", finger: "left-thumb", user: "games")
    #expect(try output(program, "read", "mail") == "-25300")
    #expect(try output(program, "store-current-set", "mail") == "0")
    #expect(try output(program, "store-current-set", "mail") == "-25299")
  }

  @Test(arguments: programs)
  func `a thread blocked in a prompt ends when its context is invalidated`(program: String) throws {
    #expect(try output(program, "store-presence", "mail") == "0")
    let start = ContinuousClock.now
    let read = try terminal(program, "invalidate-in-prompt", "mail")
    try read.expect(PrivateHost.touchOrType)
    try read.expect("-25293")
    #expect(try read.status() == 0)
    #expect(ContinuousClock.now - start < .seconds(10))
    #expect(try host.whorl(["list"]).status == 0)
  }

  @Test(arguments: programs)
  func `what can be evaluated is told`(program: String) throws {
    #expect(try output(program, "can-evaluate") == "yes true true")
    try host.delete(finger: "right-index-finger", user: "games")
    #expect(try output(program, "can-evaluate") == "enroll a finger")
  }

  @Test(arguments: programs)
  func `a right opens its secret and its key by a touch, and dies with its fingers`(
    program: String
  ) throws {
    #expect(try output(program, "save-right", "vault") == "saved")
    let open = try terminal(program, "open-right", "vault")
    try open.expect(PrivateHost.touchOrType)
    try host.scan("alice")
    try open.expect("secret of vault")
    #expect(try open.status() == 0)
    let sign = try terminal(program, "sign-with-right", "vault")
    try sign.expect(PrivateHost.touchOrType)
    sign.type("sesame\n")
    try sign.expect("true")
    #expect(try sign.status() == 0)
    #expect(try output(program, "open-right", "vault") == "not authorized")
    #expect(try output(program, "save-strict-right", "strict") == "saved")
    try host.enroll("bob", finger: "left-thumb", user: "games")
    #expect(try output(program, "open-right", "strict") == "LAError -1")
    #expect(try output(program, "save-strict-right", "strict") == "saved")
    #expect(try output(program, "remove-right", "vault") == "removed")
    #expect(try output(program, "open-right", "vault") == "NSOSStatusErrorDomain -25300")
  }

  @Test(arguments: programs)
  func `several gated items of one query are one touch`(program: String) throws {
    for name in ["a", "b", "c"] { #expect(try output(program, "store-presence", name) == "0") }
    let read = try terminal(program, "read-all")
    try read.expect(PrivateHost.touchOrType)
    try host.scan("alice")
    try read.expect("secret of a,secret of b,secret of c")
    #expect(try read.status() == 0)
    #expect(read.output.components(separatedBy: "Touch").count == 2)
  }

  @Test(arguments: programs)
  func `adding and then updating asks once`(program: String) throws {
    #expect(try output(program, "save", "mail") == "added")
    let update = try terminal(program, "save", "mail")
    try update.expect(PrivateHost.touchOrType)
    try host.scan("alice")
    try update.expect("updated 0")
    #expect(try update.status() == 0)
    #expect(update.output.components(separatedBy: "Touch").count == 2)
  }

  @Test func `reset on first launch in one program leaves the items of others alone`() throws {
    for program in Self.programs {
      #expect(try output(program, "store-presence", "mail") == "0")
    }
    #expect(try output(Self.programs[0], "wipe") == "0 -25300 -25300")
    #expect(try output(Self.programs[0], "read", "mail") == "-25300")
    #expect(try output(Self.programs[1], "read", "mail") == "-25308")
  }
}
