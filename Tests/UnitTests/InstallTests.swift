import Daemon
import Foundation
import TestHost
import Testing
import WhorlClient

/// Units, Makefile and programs agree on where things are.
@Suite(.serialized) struct InstallTests {
  private let host: PrivateHost
  private let root: String

  /// Installs the programs of the tests.
  init() throws {
    host = try PrivateHost()
    root = "\(host.folder)/root"
    let result = try host.run([
      "/usr/bin/make", "-C", PrivateHost.repository.path, "install", "DESTDIR=\(root)",
      "RELEASE=\(PrivateHost.programs)",
    ])
    try #require(result.status == 0, "\(result.error)")
  }

  private func mode(_ path: String) throws -> Int {
    let facts = try FileManager.default.attributesOfItem(atPath: root + path)
    return (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0
  }

  @Test(arguments: UnitFile.services)
  func `what a unit starts is installed`(unit: String) throws {
    let file = try UnitFile(unit)
    let program = try #require(file.value("ExecStart"))
    #expect(try mode(program) == 0o755)
    #expect(program == "/usr/libexec/whorl/" + unit.prefix { $0 != "@" && $0 != "." })
    #expect(try mode("/usr/lib/systemd/system/\(unit)") == 0o644)
    #expect(
      FileManager.default.contentsEqual(
        atPath: file.path, andPath: "\(root)/usr/lib/systemd/system/\(unit)"))
  }

  @Test(arguments: UnitFile.sockets)
  func `the units of sockets are installed and belong to a service`(unit: String) throws {
    #expect(try mode("/usr/lib/systemd/system/\(unit)") == 0o644)
    let file = try UnitFile(unit)
    let service =
      file.value("Service", "Socket")
      ?? unit.replacingOccurrences(
        of: ".socket",
        with: file.value("Accept", "Socket") == "yes" ? "@.service" : ".service")
    #expect(UnitFile.services.contains(service))
    #expect(file.value("WantedBy", "Install") == "sockets.target")
  }

  @Test func `the daemon's defaults are the units' paths`() throws {
    let defaults = Configuration()
    let listens = { try UnitFile($0).value("ListenStream", "Socket") }
    #expect(try listens("whorl.socket") == defaults.socket)
    #expect(SocketTransport.standardPath == defaults.socket)
    #expect(try listens("whorl-pam-worker.socket") == defaults.workerSocket)
    #expect(try listens("whorl-print-reader.socket") == defaults.printReaderSocket)
    let daemon = try UnitFile("whorld.service")
    #expect(daemon.value("StateDirectory").map { "/var/lib/\($0)" } == defaults.state)
    #expect(daemon.value("RuntimeDirectory").map { "/run/\($0)" } == defaults.runtime)
    #expect(try mode(Configuration.defaultPath) == 0o644)
    #expect(
      try Configuration(file: root + Configuration.defaultPath) == defaults,
      "the file shows the defaults and changes none")
    for needed in ["Requires", "After"] {
      #expect(Set(daemon.words(needed, "Unit")).isSuperset(of: UnitFile.sockets))
    }
    // Who enables the service has the sockets, too.
    #expect(Set(daemon.words("Also", "Install")) == Set(UnitFile.sockets))
  }

  @Test func `a configuration that shows a default shows the right one`() throws {
    let text = try String(contentsOfFile: root + Configuration.defaultPath, encoding: .utf8)
    let shown = text.split(separator: "\n").filter { $0.hasPrefix("#") && $0.contains(" = ") }
      .filter { $0.dropFirst().first?.isLetter == true }.map { $0.dropFirst() }
    #expect(shown.count > 15)
    #expect(try Configuration(parsing: shown.joined(separator: "\n")) == Configuration())
  }

  @Test func `no user, group or further folder has to be made`() throws {
    for unit in UnitFile.services {
      let file = try UnitFile(unit)
      #expect(file.value("User") == nil && file.value("Group") == nil)
    }
    for folder in ["sysusers.d", "tmpfiles.d"] {
      #expect(!FileManager.default.fileExists(atPath: "\(root)/usr/lib/\(folder)"))
    }
    for service in ["whorl-biometry", "whorl-passcode"] {
      #expect(try mode("/etc/pam.d/\(service)") == 0o644)
    }
  }

  /// In a tree of its own, with the units that systemd brings.
  @Test func `systemd finds nothing wrong with the units`() throws {
    let units = (UnitFile.services + UnitFile.sockets).map {
      "\(root)/usr/lib/systemd/system/\($0)"
    }
    let copied = try host.run(
      ["/bin/cp", "-an", "/usr/lib/systemd/system/.", "\(root)/usr/lib/systemd/system"])
    try #require(copied.status == 0, "\(copied.error)")
    for program in ["bin/kill", "usr/bin/kill"] {
      let path = "\(root)/\(program)"
      try FileManager.default.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try host.copy("/bin/kill", path)
    }
    let result = try host.run(
      ["/usr/bin/systemd-analyze", "--no-pager", "--man=no", "--root=\(root)", "verify"] + units)
    #expect(result.status == 0 && (result.output + result.error).isEmpty, "\(result)")
  }
}
