import Daemon
import Foundation
import TestHost
import Testing

/// An installation into other folders than the usual ones.
@Suite(.serialized) struct MovedInstallTests {
  private let host: PrivateHost
  private let root: String

  init() throws {
    host = try PrivateHost()
    root = "\(host.folder)/a root"
  }

  private func make(_ target: String) throws {
    let result = try host.run([
      "/usr/bin/make", "-C", PrivateHost.repository.path, target, "DESTDIR=\(root)",
      "RELEASE=\(PrivateHost.programs)", "SYSCONFDIR=/opt/w/etc", "PREFIX=/opt/w",
    ])
    try #require(result.status == 0, "\(result.error)")
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + path, encoding: .utf8)
  }

  @Test func `the daemon is told where its configuration is, and that where its services are`()
    throws
  {
    try make("install")
    #expect(
      try text("/opt/w/lib/systemd/system/whorld.service").contains(
        "\nExecStart=/opt/w/libexec/whorl/whorld --config /opt/w/etc/whorl/whorld.conf\n"))
    #expect(
      try text("/opt/w/lib/systemd/system/whorl-pam-worker@.service").contains(
        "\nExecStart=/opt/w/libexec/whorl/whorl-pam-worker\n"))
    var expected = Configuration()
    expected.pamDirectory = "/opt/w/etc/pam.d"
    #expect(try Configuration(file: root + "/opt/w/etc/whorl/whorld.conf") == expected)
    #expect(FileManager.default.fileExists(atPath: root + "/opt/w/etc/pam.d/whorl-passcode"))
  }

  @Test func `uninstall leaves the configuration alone, and nothing else`() throws {
    try make("install")
    try make("uninstall")
    let files = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String }.filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(root)/\($0)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    #expect(files == ["opt/w/etc/whorl/whorld.conf"])
  }
}
