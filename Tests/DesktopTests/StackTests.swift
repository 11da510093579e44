import Foundation
import Glibc
import TestHost
import Testing

/// Every stack in pam/: that it reads as libpam reads it, and whom it lets in, by the real libpam
/// with modules that answer as told.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class StackTests {
  struct Rule {
    let kind: String
    let control: String
    let module: String
    let arguments: [String]
  }

  static let folder = PrivateHost.repository.appendingPathComponent("pam/stacks")
  static let names: [String] = {
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (names ?? []).sorted()
  }()

  /// What a line may hold, by pam.conf(5).
  static func rules(_ name: String) throws -> [Rule] {
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let pattern =
        /^(auth|account|password|session)\s+(required|requisite|sufficient|optional|\[(?:\w+=\w+ ?)+\])\s+(pam_\w+\.so)((?: +[^ ]+)*)$/
      let match = try #require(try pattern.wholeMatch(in: line), "\(name): \(line)")
      return Rule(
        kind: String(match.1), control: String(match.2), module: String(match.3),
        arguments: match.4.split(separator: " ").map(String.init))
    }
  }

  @Test func `there is a stack for each program that is named`() {
    #expect(
      Self.names == [
        "gdm-fingerprint", "gdm-password", "hyprlock", "kde", "kde-fingerprint", "lightdm", "login",
        "polkit-1", "sddm", "su", "sudo", "swaylock",
      ])
  }

  @Test(arguments: names)
  func `it reads as libpam reads it, and its auth part ends in deny`(name: String) throws {
    let rules = try Self.rules(name)
    let auth = rules.filter { $0.kind == "auth" }
    #expect(auth.last?.module == "pam_deny.so" && auth.last?.control == "required")
    #expect(rules.contains { $0.kind == "account" && $0.control == "required" })
    let whorl = rules.filter { $0.module == "pam_whorl.so" }
    let roles = ["auth": ["verify", "capture"], "session": ["session"], "password": ["password"]]
    for rule in whorl {
      #expect(roles[rule.kind]?.contains(rule.arguments.first ?? "") == true)
      #expect(rule.arguments.dropFirst().allSatisfy { $0.hasPrefix("timeout=") })
    }
    for (index, rule) in auth.enumerated() {
      guard let jump = rule.control.firstMatch(of: /=(\d+)/), let count = Int(jump.1) else {
        continue
      }
      // Neither over the end nor onto it.
      #expect(index + count + 1 < auth.count - 1)
    }
    let tools: Set = ["sudo", "su", "polkit-1", "swaylock", "hyprlock", "kde", "kde-fingerprint"]
    if tools.contains(name) {
      #expect(!whorl.contains { $0.arguments.first != "verify" })
    }
    for rule in rules where rule.module != "pam_whorl.so" {
      let known = [
        "pam_unix", "pam_deny", "pam_permit", "pam_nologin", "pam_rootok", "pam_gnome_keyring",
        "pam_kwallet5", "pam_loginuid", "pam_limits", "pam_systemd",
      ]
      #expect(known.contains(String(rule.module.dropLast(3))), "\(rule.module)")
    }
  }

  /// What a module answers, and whether it lets in alone.
  static let answers: [(touch: String, password: String)] = [
    ("success", "auth_err"), ("authinfo_unavail", "success"), ("auth_err", "success"),
    ("authinfo_unavail", "auth_err"), ("auth_err", "auth_err"), ("service_err", "auth_err"),
    ("ignore", "ignore"), ("ignore", "authinfo_unavail"), ("success", "success"),
    ("missing", "missing"), ("missing", "success"),
  ]

  @Test(arguments: names)
  func `a touch or the password lets in, and nothing else does`(name: String) throws {
    let host = try PrivateHost()
    let auth = try Self.rules(name).filter { $0.kind == "auth" }
    let has = { (module: String, role: String) in
      auth.contains { $0.module == module && (role.isEmpty || $0.arguments.first == role) }
    }
    for answer in Self.answers {
      let lines = auth.map { rule in
        func told(_ value: String) -> String {
          value == "missing" ? "pam_not_there.so" : "pam_debug.so auth=\(value)"
        }
        let module =
          switch (rule.module, rule.arguments.first) {
          case ("pam_whorl.so", "verify"): told(answer.touch)
          case ("pam_whorl.so", _): told("authinfo_unavail")
          case ("pam_unix.so", _): told(answer.password)
          case ("pam_deny.so", _), ("pam_permit.so", _): rule.module
          case ("pam_gnome_keyring.so", _), ("pam_kwallet5.so", _): told("success")
          case ("pam_rootok.so", _): told("auth_err")
          default: told("ignore")
          }
        return "auth \(rule.control) \(module)"
      }
      try (lines.joined(separator: "\n") + "\n").write(
        toFile: "/etc/pam.d/stack-test", atomically: true, encoding: .utf8)
      let status = try host.run(["/usr/bin/pamtester", "stack-test", "tester", "authenticate"])
        .status
      let isIn =
        has("pam_whorl.so", "verify") && answer.touch == "success"
        || has("pam_unix.so", "") && answer.password == "success"
      #expect((status == 0) == isIn, "\(answer): \(lines)")
    }
    unlink("/etc/pam.d/stack-test")
  }

  @Test func `the manual page names each role and program, and groff has no complaint`() throws {
    let host = try PrivateHost()
    let page = PrivateHost.repository.appendingPathComponent("pam/man/pam_whorl.8")
    let result = try host.run(["/usr/bin/groff", "-man", "-Tascii", "-ww", page.path])
    #expect(result.status == 0 && result.error.isEmpty, "\(result.error)")
    let text = try String(contentsOf: page, encoding: .utf8)
    for word in ["verify", "capture", "session", "password", "timeout=", "socket="] {
      #expect(text.contains(word))
    }
    for name in [
      "GDM", "KDE", "LightDM", "SDDM", "swaylock", "hyprlock", "polkit\\-1", "sudo", "su,",
    ] {
      #expect(text.contains(name), "\(name)")
    }
  }

  @Test func `the profiles are off at first, and make way for no other fingerprint profile`() throws
  {
    let folder = PrivateHost.repository.appendingPathComponent("pam/pam-configs")
    for name in ["whorl", "whorl-login"] {
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      #expect(text.contains("\nDefault: no\n"))
      #expect(text.contains("Conflicts: fprintd, fprint\n") == (name == "whorl"))
      for line in text.split(separator: "\n") {
        #expect(
          line.contains(
            /^(Name|Default|Priority|Conflicts|Auth-Type|Session-Type|Password-Type): .+$|^(Auth|Session|Password):$|^\t\S/
          ), "\(line)")
      }
    }
  }
}
