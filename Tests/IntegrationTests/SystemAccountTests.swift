import Foundation
import Glibc
import TestHost
import Testing

/// The product's own passcode service: pam_unix, on an account of the machine.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class SystemAccountTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.installSystemPasscodeService()
    try host.startLogind()
    try host.addSession("c1", user: Namespace.user, name: Namespace.userName)
    try host.startDaemon(["passcodes = shadow"])
    let added = try host.whorl(["add", "token"], input: "hunter2", user: Namespace.user)
    #expect(added.status == 0, "\(added.error)")
  }

  deinit {
    // The next test's account is as the namespace made it.
    for words in [
      ["/usr/sbin/usermod", "--expiredate", "", Namespace.userName],
      ["/usr/bin/chage", "--lastday", "20000", "--maxdays", "99999", Namespace.userName],
      ["/usr/sbin/usermod", "--unlock", Namespace.userName],
    ] { _ = try? host.run(words) }
  }

  private func change(_ words: [String]) throws {
    let result = try host.run(words + [Namespace.userName])
    #expect(result.status == 0, "\(result.error)")
  }

  private func reading() throws -> Terminal {
    try host.reading("token", "Type your password: ", user: Namespace.user)
  }

  @Test func `the password of the account opens`() throws {
    let read = try reading()
    read.type("\(Namespace.password)\n")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(read.output.contains("hunter2"))
  }

  @Test func `a wrong password does not, and the next try may be right`() throws {
    let read = try reading()
    read.type("\(Namespace.password)x\n")
    // pam_unix waits about two seconds before it says no.
    try read.expect("Wrong password.", seconds: 6)
    read.type("\(Namespace.password)\n")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(read.output.contains("hunter2"))
  }

  @Test func `another user's password does not open`() throws {
    _ = try host.run(["/bin/sh", "-c", "printf 'games:other\\n' | /usr/sbin/chpasswd -c SHA512"])
    let read = try reading()
    read.type("other\n")
    try read.expect("Wrong password.", seconds: 6)
    read.interrupt()
    #expect(try read.status() == 128)
  }

  @Test func `a password that must be changed is refused`() throws {
    try change(["/usr/bin/chage", "--lastday", "0"])
    let read = try reading()
    read.type("\(Namespace.password)\n")
    #expect(try read.status() == 51, "\(read.output)")
    #expect(read.output.contains("expired"))
    #expect(!read.output.contains("hunter2"))
  }

  @Test(
    arguments: [
      ["/usr/sbin/usermod", "--lock"], ["/usr/sbin/usermod", "--expiredate", "2001-01-01"],
    ])
  func `a locked password and an expired account are not asked for`(change words: [String]) throws {
    let added = try host.whorl(
      ["add", "--access", "devicePasscode", "mine"], input: "hunter2", user: Namespace.user)
    #expect(added.status == 0, "\(added.error)")
    try change(words)
    let read = try host.terminal(["read", "mine"], user: Namespace.user)
    #expect(try read.status() == 251, "\(read.output)")
    #expect(!read.output.contains("password: "))
  }
}
