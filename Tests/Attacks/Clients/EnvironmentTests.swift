import Foundation
import Glibc
import TestHost
import Testing

/// What a client is surrounded by: variables, rights of its file, folders.
@Suite(.serialized) final class EnvironmentTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.withReader()
  }

  /// Whether a file of the kernel's or of the daemon's holds the bytes.
  private func holds(_ path: String, _ bytes: Data) -> Bool {
    FileManager.default.contents(atPath: path)?.range(of: bytes) != nil
  }

  @Test func `variables that speak of a seat or a session count for nothing`() throws {
    try host.store("finger", "biometryAny")
    try host.setProperties([("Remote", .bool(true))], of: "c1")
    let claims = [
      "XDG_SEAT=seat0", "XDG_VTNR=1", "XDG_SESSION_ID=c1", "XDG_SESSION_TYPE=wayland",
      "XDG_SESSION_CLASS=user", "DISPLAY=:0", "PAM_RHOST=", "PAM_TTY=tty1",
    ]
    let read = try host.terminal(
      program: ["/usr/bin/env"] + claims + [host.command, "read", "finger"])
    #expect(try read.status() == 36, "\(read.output)")
    #expect(!read.output.contains("Touch") && !read.output.contains(PrivateHost.secret))
  }

  @Test func `no variable of a client reaches a helper`() throws {
    try host.store("finger", "biometryAny")
    let claims = [
      "MARK=of-the-client", "LD_PRELOAD=/nowhere.so", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nowhere",
    ]
    let read = try host.terminal(
      program: ["/usr/bin/env"] + claims + [host.command, "read", "finger"])
    try read.expect("Touch the fingerprint reader: ")
    try host.waitForVerification()
    let helpers = host.workers() + [host.daemon]
    #expect(helpers.count > 1)
    for helper in helpers {
      let path = "/proc/\(helper)/environ"
      #expect(!holds(path, Data("MARK".utf8)) && !holds(path, Data("nowhere".utf8)))
    }
    try host.scan("alice")
    #expect(try read.status() == 0)
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `a client with more rights than its caller takes no socket from the caller`() throws {
    // Whoever runs it could be its service otherwise, and have what is typed.
    for (mode, name) in [(0o4755, "setuid"), (0o2755, "setgid")] as [(mode_t, String)] {
      let path = "\(host.folder)/whorl-\(name)"
      try host.copy(host.command, path)
      chmod(path, mode)
      let result = try host.run(
        [path, "list"], user: PrivateHost.games)
      #expect(result.status == 1)
      #expect(result.error.contains("/run/whorl/whorl.sock"), "\(result.error)")
    }
    #expect(try host.whorl(["list"]).status == 0)
  }

  @Test func `no part of a fingerprint is in what the daemon keeps`() throws {
    try host.store("bound", "biometryCurrentSet")
    let folder = host.folder(ofPrintsOf: "games")
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    let prints = names.compactMap { try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\($0)")) }
    #expect(!prints.isEmpty)
    let kept = FileManager.default.enumerator(atPath: host.state)?.allObjects as? [String] ?? []
    #expect(kept.count > 3)
    for print in prints {
      for start in stride(from: 0, to: print.count - 16, by: 16) {
        let piece = print[(print.startIndex + start)..<(print.startIndex + start + 16)]
        for name in kept { #expect(!holds("\(host.state)/\(name)", piece), "\(name) at \(start)") }
      }
    }
  }

  @Test func `nobody but root enters the daemon's state, whatever its umask`() throws {
    host.stop("whorld", signal: SIGTERM)
    _ = try host.run(["/bin/rm", "-rf", host.state])
    try host.startDaemon(prefix: ["/bin/sh", "-c", "umask 0; exec \"$@\"", "sh"])
    for folder in [host.state, "\(host.folder)/runtime"] {
      var status = stat()
      #expect(stat(folder, &status) == 0 && status.st_uid == 0 && status.st_mode & 0o077 == 0)
      let result = try host.run(["/bin/ls", folder], user: PrivateHost.games)
      #expect(result.status != 0 && result.output.isEmpty)
    }
  }

  @Test func `the daemon offers nothing on the bus`() throws {
    func call(_ destination: String, _ member: String, _ arguments: String...) throws -> String {
      let result = try host.run(
        [
          "/usr/bin/dbus-send", "--bus=\(host.busAddress)", "--print-reply=literal",
          "--dest=\(destination)", "/", member,
        ] + arguments)
      return result.output + result.error
    }
    let list = try call("org.freedesktop.DBus", "org.freedesktop.DBus.ListNames")
    let names = list.split { " []\n".contains($0) }.map(String.init)
    #expect(names.contains("net.reactivated.Fprint") && !names.contains { $0.contains("whorl") })
    let own = try names.filter { name in
      try name.hasPrefix(":")
        && call(
          "org.freedesktop.DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID",
          "string:\(name)"
        ).contains("uint32 \(host.daemon)\n")
    }
    #expect(!own.isEmpty)
    for name in own {
      for member in [
        "org.freedesktop.DBus.Introspectable.Introspect", "org.whorl.Whorl.Read",
        "org.freedesktop.DBus.ObjectManager.GetManagedObjects",
      ] {
        #expect(try call(name, member).contains("Error "), "\(member)")
      }
    }
  }
}
