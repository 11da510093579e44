import Foundation
import Glibc
import TestHost

/// A login by password with the module in its stack, beside the same without it: what loading it and
/// calling it for every role adds. The password is there already, so that nothing else takes time.
enum Logins {
  private static let rounds = 200
  private static let steps = ["authenticate", "open_session", "close_session"]

  static func measure(_ host: PrivateHost, _ report: inout Report) throws {
    report.head("A login by password")
    let module = "\(PrivateHost.programs)/libpam_whorl.so"
    let socket = "socket=\(host.socket)"
    let items = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_set_items.so"
    func stack(_ name: String, _ isWith: Bool) throws -> Program {
      func line(_ kind: String, _ role: String) -> String {
        isWith ? "\(kind) optional \(module) \(role) \(socket)\n" : ""
      }
      try """
      auth required \(items)
      \(line("auth", "verify"))auth required pam_permit.so
      \(line("auth", "capture"))session required pam_permit.so
      \(line("session", "session"))
      """.write(toFile: "/etc/pam.d/\(name)", atomically: true, encoding: .utf8)
      return Program(
        words: ["/usr/bin/pamtester", name, "root"] + steps, environment: ["PAM_AUTHTOK=toor"])
    }
    let programs = [try stack("bench-without", false), try stack("bench-with", true)]
    var times: [[UInt64]] = [[], []]
    for _ in 0..<rounds {
      for (index, program) in programs.enumerated() {
        times[index].append(try program.time())
        // The captured password is checked afterwards, when nobody waits any more.
        usleep(30_000)
      }
    }
    report.keep("login without ns", times[0])
    report.keep("login with ns", times[1])
    let added = zip(times[1], times[0]).map { Double($0) - Double($1) }.median
    report.row("pamtester without it", Double(times[0].median) / 1e6, "ms")
    report.row("pam_whorl.so adds", added / 1e6, "ms", .atMost(2))
  }
}
