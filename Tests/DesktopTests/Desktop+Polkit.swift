import Foundation
import Glibc
import Linux
import TestHost

/// The product's actions, the real polkitd, and pkttyagent in the place of a desktop's agent.
extension Desktop {
  private static let actions = "/usr/share/polkit-1/actions"
  private static let rules = "/etc/polkit-1/rules.d/10-whorl-test.rules"

  private static let polkitService = "/etc/pam.d/polkit-1"

  func installActions() throws {
    let folder = "\(PrivateHost.repository.path)/polkit"
    try run(
      """
      mount -t overlay overlay -o lowerdir=\(folder):\(Self.actions) \(Self.actions)
      # As it is but for the seconds after a wrong password.
      printf '%s\\n' 'auth required pam_unix.so nodelay' 'account required pam_unix.so' \
        'session required pam_permit.so' > \(Self.polkitService)
      mkdir -p /run/dbus && ln -sf \(host.folder)/bus /run/dbus/system_bus_socket
      """)
    host.stop("polkit")
    try host.startPolkit()
  }

  func removeActions() {
    unlink(Self.rules)
    unlink(Self.session)
    unlink(Self.person)
    unlink(Self.polkitService)
    umount2(Self.actions, Int32(MNT_DETACH))
  }

  /// A rule of the host's administrator.
  func rule(_ body: String) throws {
    try run("mkdir -p /etc/polkit-1/rules.d && chmod 755 /etc/polkit-1/rules.d")
    try "polkit.addRule(function(action, subject) { \(body) });\n".write(
      toFile: Self.rules, atomically: true, encoding: .utf8)
    chmod(Self.rules, 0o644)
    host.stop("polkit")
    try host.startPolkit()
  }

  /// Puts a process into a session of its user's, by what polkitd knows of sessions: control groups and
  /// the files of systemd-logind.
  func seat(_ process: pid_t, active: Bool = true, seat: String = "seat0") throws {
    try run(
      """
      printf '%s\\n' 0::\(Self.scope) 1:name=systemd:\(Self.scope) >\(host.folder)/scope
      printf '%s\\n' UID=\(Self.user) USER=\(Self.name) ACTIVE=\(active ? 1 : 0) STATE=online \
        REMOTE=0 TYPE=wayland CLASS=user \(seat.isEmpty ? "" : "SEAT=\(seat)") >\(Self.session)
      # A session is active for polkitd where any of its user's is.
      echo STATE=\(active ? "active" : "online") >\(Self.person)
      mount --bind \(host.folder)/scope /proc/\(process)/cgroup
      """)
  }

  private static let person = "/run/systemd/users/\(user)"
  private static let session = "/run/systemd/sessions/whorl"
  private static let scope = "/user.slice/user-\(user).slice/session-whorl.scope"

  /// An agent for one process, registered.
  func agent(for process: pid_t) throws -> Terminal {
    // What starts it is root's at first.
    try host.wait("the program") { FileFacts(path: "/proc/\(process)")?.owner == Self.user }
    let agent = try host.terminal(
      program: [
        "/bin/sh", "-c",
        "exec 9>/dev/null; exec /usr/bin/pkttyagent --process \(process) --notify-fd 9",
      ], user: Self.user)
    // It closes that when it is registered.
    let mark = "/proc/\(agent.pid)/fd/9"
    try host.wait("the agent to run") {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(agent.pid)/exe"))?
        .hasSuffix("pkttyagent") == true
    }
    try host.wait("the agent to register") {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: mark)) != "/dev/null"
    }
    return agent
  }

  func answer(_ agent: Terminal, _ password: String) throws {
    try agent.expect("assword: ")
    // It throws away what was typed before it listens.
    usleep(150_000)
    agent.type(password + "\n")
  }
}
