import Foundation
import Glibc
import TestHost
import Testing

/// A module that misbehaves, as the person and everybody else see it.
@Suite(.serialized) final class ModuleTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.startLogind()
    try host.addSession("c1")
    try host.addSession("c2", user: PrivateHost.other, name: "www-data")
    try host.startDaemon(["prompt-limit = 1000", "worker-limit = 2000"])
    try host.add("token", access: "devicePasscode")
    try host.add("open", access: "none")
  }

  private func typed(_ words: String) throws -> Terminal {
    try host.installHostile(words)
    let read = try host.reading("token", "Type your password: ")
    read.type("sesame\n")
    return read
  }

  private func hanging() throws -> Terminal {
    let read = try typed("do=hang file=\(host.folder)/hangs")
    try host.wait("the module") { access("\(host.folder)/hangs", F_OK) == 0 }
    return read
  }

  private func othersAreServed() throws {
    #expect(try host.whorl(["read", "open"]).output == "hunter2")
    #expect(try host.whorl(["list"], user: PrivateHost.other).status == 0)
    let other = try host.whorl(
      ["add", "--replace", "--access", "none", "theirs"], input: "x", user: PrivateHost.other)
    #expect(other.status == 0, "\(other.error)")
  }

  @Test func `a module that hangs is told, after what was typed in time was waited for`() throws {
    let start = ContinuousClock.now
    let read = try hanging()
    try othersAreServed()
    #expect(try read.status(seconds: 5) == 1, "\(read.output)")
    #expect(read.output.contains("whorl-pam-worker did not answer"), "\(read.output)")
    #expect(ContinuousClock.now - start > .seconds(1.5))
    // The next one is served at once.
    let next = try typed("auth=0")
    #expect(try next.status() == 0, "\(next.output)")
  }

  @Test func `a password typed while another check hangs is held, not called wrong`() throws {
    let first = try hanging()
    first.interrupt()
    #expect(try first.status() == 128)
    let second = try typed("auth=0")
    #expect(!second.shows("Wrong", within: 0.3))
    #expect(try second.status(seconds: 5) == 0, "\(second.output)")
    #expect(second.output.contains("hunter2"))
  }

  @Test func `a module that crashes is told, and opens nothing`() throws {
    for words in ["do=segv", "do=exit", "do=close", "do=talk"] {
      let read = try typed(words)
      #expect(try read.status() == 1, "\(read.output)")
      #expect(read.output.contains("whorl-pam-worker crashed"), "\(read.output)")
      #expect(!read.output.contains("hunter2"))
    }
    try othersAreServed()
  }

  @Test func `PAM_IGNORE opens nothing, and counts as no wrong password`() throws {
    for _ in 0..<4 {
      let read = try typed("auth=25")
      #expect(try read.status() != 0, "\(read.output)")
      #expect(!read.output.contains("hunter2"))
    }
    let read = try typed("auth=0")
    #expect(try read.status() == 0, "\(read.output)")
  }

  @Test func `no text of a module reaches the terminal`() throws {
    let read = try typed("do=talk-a-little auth=7")
    try read.expect("Wrong password.")
    read.interrupt()
    #expect(try read.status() == 128)
    #expect(!read.output.contains("\u{1b}") && !read.output.contains("no\n"), "\(read.output)")
  }

  private func refuses(_ words: String) throws {
    let read = try host.reading("token", "Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 1, "\(read.output)")
    #expect(read.output.contains(words), "\(read.output)")
    #expect(!read.output.contains("hunter2"))
  }

  private func write(_ text: String, _ service: String) throws {
    try text.write(toFile: "\(host.services)/\(service)", atomically: false, encoding: .utf8)
  }

  @Test
  func `a service without its file, or without a phase, is not made up by a permissive other`()
    throws
  {
    try write("auth required pam_permit.so\naccount required pam_permit.so\n", "other")
    try host.removeService("whorl-passcode")
    try refuses("whorl-passcode in ")
    for text in [
      "", "# auth required pam_unix.so\n", "account required pam_permit.so\n",
      "auth required pam_permit.so\n", "authx required pam_permit.so\naccount required x\n",
    ] {
      try write(text, "whorl-passcode")
      try refuses("whorl-passcode lacks auth or account")
    }
    try write("-AUTH required pam_permit.so\n account required pam_permit.so\n", "whorl-passcode")
    let read = try host.reading("token", "Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0, "\(read.output)")
  }

  @Test func `a service that others than root may change is refused`() throws {
    for place in ["", "/whorl-passcode"] {
      let path = host.services + place
      for mode in [0o777, 0o775, 0o646] as [mode_t] {
        #expect(chmod(path, mode) == 0)
        try refuses("whorl-passcode is not root's alone")
      }
      #expect(chmod(path, 0o755) == 0)
      #expect(chown(path, PrivateHost.games, 0) == 0)
      try refuses("whorl-passcode is not root's alone")
      #expect(chown(path, 0, 0) == 0)
    }
    try host.installHostile("auth=0")
    let read = try host.reading("token", "Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0, "\(read.output)")
  }
}
