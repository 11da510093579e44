import Glibc
import TestHost
import Testing

/// What ends the evidence that an item lets serve again.
enum ScopeEnd: String, CaseIterable {
  case nothing, lockCommand, lockSignal, suspend, newGeneration

  func happen(on host: PrivateHost) throws {
    switch self {
    case .nothing: break
    case .lockCommand:
      #expect(try host.whorl(["lock"]).status == 0)
      try host.unlockSession("c1")
    case .lockSignal:
      try host.lockSession("c1", true)
      try host.unlockSession("c1")
    case .suspend:
      try host.announceSleep(true)
      try host.announceSleep(false)
    case .newGeneration:
      // The password won, and the finger's verification is only just ending.
      #expect(host.readerIsFree(within: 6))
      try host.enroll("bob", finger: "left-thumb", user: "games")
      #expect(try host.whorl(["read", "bound"]).status == 93)
    }
    usleep(300_000)
  }
}

@Suite(.serialized) final class ScopeTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("again", "one", ["--reuse", "300"])
    try host.add("bound", access: "biometryCurrentSet")
  }

  @Test(arguments: ScopeEnd.allCases)
  func `reuse ends with lock, suspend and a new generation`(end: ScopeEnd) throws {
    let shell = try host.terminal(
      program: [
        "/bin/sh", "-c",
        "\(host.command) read again; echo first; head -c 1; echo; \(host.command) read again",
      ])
    try shell.expect(PrivateHost.touchOrType)
    shell.type("sesame\n")
    try shell.expect("first")
    try end.happen(on: host)
    shell.type("\n")
    if end == .nothing {
      try shell.expect("one")
      #expect(try shell.status() == 0)
    } else {
      try shell.expect(PrivateHost.touchOrType)
      shell.interrupt()
      #expect(!shell.output.hasSuffix("one"))
    }
  }

  @Test func `a suspend ends what waits for a person`() throws {
    let read = try host.reading("again")
    try host.waitForVerification()
    try host.announceSleep(true)
    #expect(try read.status(seconds: 8) == 75)
    #expect(read.output.contains("about to suspend"))
  }
}
