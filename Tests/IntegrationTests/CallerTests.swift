import Foundation
import Glibc
import TestHost
import Testing

/// Who asks is known from the kernel.
@Suite(.serialized) final class CallerTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.startLogind()
    try host.addSession("c1")
    try host.addSession("c2", user: PrivateHost.other, name: "www-data")
    try host.startDaemon()
    try host.add("token", access: "none")
  }

  @Test func `another user sees and reaches nothing`() throws {
    let user = PrivateHost.other
    #expect(try host.whorl(["list"], user: user).output.isEmpty)
    for arguments in [
      ["read", "token"], ["show", "token"], ["rm", "token"], ["update", "token"],
    ] {
      #expect(try host.whorl(arguments, input: "x", user: user).status == 44)
    }
    #expect(try !host.whorl(["log"], user: user).output.contains("add \"token\""))
    // The same name is another item.
    #expect(
      try host.whorl(["add", "token", "--access", "none"], input: "theirs", user: user).status == 0)
    #expect(try host.whorl(["read", "token"], user: user).output == "theirs")
    #expect(try host.whorl(["read", "token"]).output == "hunter2")
  }

  @Test func `root sees its own items, not those of others`() throws {
    #expect(try host.whorl(["list"], user: nil).output.isEmpty)
    #expect(try host.whorl(["read", "token"], user: nil).status == 44)
  }

  @Test(arguments: [["-U"], ["-Ur"], ["-Uc"]])
  func `a process in a user namespace of its own is refused`(options: [String]) throws {
    let unshare = ["/usr/bin/unshare"] + options
    guard try host.run(unshare + ["/bin/true"], user: PrivateHost.games).status == 0 else {
      Issue.record("no user namespace can be made here")
      return
    }
    for command in [["list"], ["read", "token"]] {
      let result = try host.whorl(command, prefix: unshare)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.error.contains("another user namespace is not served"), "\(result.error)")
    }
    // As root, too.
    #expect(try host.whorl(["list"], user: nil, prefix: unshare).status == 1)
    #expect(try host.whorl(["read", "token"]).output == "hunter2")
  }

  @Test(arguments: [65534, 4_123_456] as [uid_t])
  func `the overflow uid and a uid without a name are refused, and told so`(user: uid_t) throws {
    let result = try host.whorl(["list"], user: user)
    #expect(result.status == 1)
    #expect(result.error == "whorl: \"this user is not served\": not permitted\n")
  }

  /// A shell that puts a control group of our choice over its own /proc entry, then becomes the
  /// program: what the kernel would say of a process in that group.
  private func inGroup(_ group: String) throws -> [String] {
    let file = "\(host.folder)/group"
    try "0::\(group)\n".write(toFile: file, atomically: true, encoding: .utf8)
    return ["/bin/sh", "-c", "mount --bind \(file) /proc/$$/cgroup && exec \"$@\"", "sh"]
  }

  @Test(
    .enabled(if: Namespace.isOwn, Namespace.need),
    arguments: [
      ("/system.slice/whorld.service", 1), ("/system.slice/whorld.service/sub", 1),
      ("/system.slice/whorl-pam-worker@3.service", 1),
      ("/system.slice/system-whorl\\x2dpam\\x2dworker.slice/whorl-pam-worker@3.service", 1),
      ("/system.slice/whorld.service.d", 0), ("/user.slice/user-0.slice/session-1.scope", 0),
    ] as [(String, Int32)])
  func `a process in the daemon's own control group, or the worker's, is refused`(
    group: String, status: Int32
  ) throws {
    host.stop("whorld", signal: SIGTERM)
    try host.startDaemon(prefix: inGroup("/system.slice/whorld.service"))
    #expect(try host.whorl(["list"], user: nil, prefix: inGroup(group)).status == status)
    #expect(try host.whorl(["list"]).status == 0)
  }
}
