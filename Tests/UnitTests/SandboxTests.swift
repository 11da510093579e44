import Foundation
import Glibc
import TestHost
import Testing

/// The services do all their work within what their units leave them.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need)) struct SandboxTests {
  private static let question = "Touch the fingerprint reader, or type your password: "
  private let host: PrivateHost
  private let user = Namespace.user

  init() throws {
    host = try PrivateHost()
  }

  private func whorl(_ arguments: [String], _ input: String = "") throws -> CommandResult {
    try host.whorl(arguments, input: input, user: user)
  }

  private func expectDone(_ arguments: [String], _ input: String = "") throws -> String {
    let result = try whorl(arguments, input)
    #expect(result.status == 0, "\(arguments): \(result.error)")
    return result.output
  }

  private func status(_ name: String, of pid: pid_t) throws -> String? {
    try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8).split(separator: "\n")
      .first { $0.hasPrefix("\(name):") }?.split(separator: "\t").last.map(String.init)
  }

  /// The daemon as its unit starts it, by its socket.
  private func startDaemon(_ listener: NotifyListener) throws {
    let sandbox = try Sandbox(
      UnitFile("whorld.service"), host, writable: [host.state, "\(host.folder)/runtime"])
    try host.startDaemon(
      ["passcodes = shadow"],
      prefix: [
        // The mode that the unit of the socket gives it.
        "/bin/sh", "-c",
        "(until chmod 0666 \(host.socket) 2>/dev/null; do sleep 0.01; done) & exec \"$@\"", "sh",
        "/usr/bin/systemd-socket-activate", "-l", host.socket, "-E",
        "NOTIFY_SOCKET=\(listener.path)",
      ] + sandbox.words)
  }

  @Test func `whorld, worker and print reader work within their units`() throws {
    let journal = try JournalListener()
    let listener = try NotifyListener(host)
    try host.installSystemPasscodeService()
    try host.startWorker(
      prefix: Sandbox(UnitFile("whorl-pam-worker@.service"), host).words,
      readerPrefix: Sandbox(UnitFile("whorl-print-reader@.service"), host).words)
    try host.startLogind()
    try host.addSession("c1", user: user, name: Namespace.userName)
    try host.startFingerprints()
    try host.enroll("alice", user: Namespace.userName)
    try startDaemon(listener)
    let daemon = try #require(host.pid("whorld"))
    #expect(listener.notices().contains("READY=1"))
    // CAP_IPC_LOCK (14) and CAP_SYS_PTRACE (19).
    for name in ["CapBnd", "CapEff", "CapPrm"] {
      #expect(try status(name, of: daemon) == "0000000000084000")
    }
    #expect(try status("NoNewPrivs", of: daemon) == "1")
    #expect(try status("Seccomp", of: daemon) == "2")

    #expect(
      try expectDone(["add", "token", "--access", "biometryCurrentSet | devicePasscode"], "s1")
        == "")
    let large = String(repeating: "0123456789abcdef", count: 1 << 16)
    #expect(try expectDone(["add", "large", "--access", "none"], large) == "")
    #expect(try expectDone(["read", "large"]) == large)
    let typed = try host.terminal(["read", "token"], user: user)
    try typed.expect(Self.question)
    typed.type("\(Namespace.password)\n")
    #expect(try typed.status() == 0, "\(typed.output) \(host.log("worker")) \(host.log("whorld"))")
    let touched = try host.terminal(["read", "token"], user: user)
    try touched.expect(Self.question)
    try host.scan("alice")
    #expect(try touched.status() == 0, "\(touched.output) \(host.log("worker"))")
    #expect(touched.output.contains("s1"))
    #expect(try expectDone(["show", "token"]).contains("biometryCurrentSet"))
    #expect(try expectDone(["list"]).contains("token"))
    #expect(try expectDone(["status"]).contains("right index finger"))
    #expect(try expectDone(["log"]).contains("read \"token\""))
    #expect(journal.records().contains { $0["SYSLOG_IDENTIFIER"] == "whorld" })

    try host.delete(finger: "right-index-finger", user: Namespace.userName)
    try host.wait("the end of the binding") {
      try whorl(["show", "token"]).output.contains("invalidated")
    }
    #expect(try expectDone(["rm", "token", "large"]) == "")
    kill(daemon, SIGHUP)
    var notices: [String] = []
    try host.wait("the reload") {
      notices += listener.notices()
      return notices.contains("RELOADING=1") && notices.last == "READY=1"
    }
    host.stop("whorld", signal: SIGTERM)
    #expect(listener.notices() == ["STOPPING=1"])
  }
}
