import Foundation
import TemporaryFolder
import Testing

/// The manual pages and the example configuration, as the programs print them.
struct ManualTests {
  private static let service = URL(filePath: Program.path).deletingLastPathComponent().path

  private func document(_ name: String) throws -> String {
    if name == "whorl.1" { return try Program.run("help", "man").text }
    let result = try Utility.run(
      "env", ["\(Self.service)/whorld", "--print", name], package: "coreutils")
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test(arguments: ["whorl.1", "whorld.8", "whorld.conf.5"])
  func `a manual page is right for man`(_ name: String) throws {
    let page = try document(name)
    let result = try Utility.run(
      "groff", ["-man", "-Tutf8", "-ww", "-z"], package: "groff-base", input: page)
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    // A page says by itself in which section it stands.
    let parts = name.split(separator: ".")
    let title = parts.dropLast().joined(separator: ".").uppercased()
    #expect(page.hasPrefix(".TH \(title) \(parts.last ?? "") "))
  }

  @Test func `the manual and the example tell the same keys`() throws {
    let page = try document("whorld.conf.5")
    let example = try document("whorld.conf")
    let described = page.components(separatedBy: ".SH FILES")[0].matches(of: /\.TP\n\.B (\S+)\n/)
      .map { String($0.1).replacing("\\-", with: "-") }
    let shown = example.matches(of: /\n#(\S+) =(.*)\n/)
    #expect(described.count >= 20)
    #expect(described == shown.map { String($0.1) })
    for match in shown where !match.2.isEmpty {
      let value = match.2.dropFirst().replacing("-", with: "\\-")
      #expect(page.contains("Default: \(value). "), "\(match.1)")
    }
  }

  @Test func `the manual tells units, ranges and words`() throws {
    let page = try document("whorld.conf.5")
    for text in [
      "A number of bytes from 1 to 1099511627776.", "A number of milliseconds from 0 to 60000.",
      "A number from 1 to 64.", "refuse: nobody", "allow: everyone", "shadow: the", "pam: PAM",
    ] { #expect(page.contains(text), "\(text)") }
  }

  @Test func `each page that is referred to is there`() throws {
    for name in ["whorl.1", "whorld.8", "whorld.conf.5"] {
      let own = try document(name).matches(of: /\.BR (whorl\S*) \((\d)\)/).map { "\($0.1).\($0.2)" }
      for other in own { #expect(!(try document(other)).isEmpty, "\(name): \(other)") }
    }
  }

  @Test func `what is installed is removed again, but for the configuration`() throws {
    let folder = try TemporaryFolder()
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
    func make(_ target: String) throws {
      let result = try Utility.run(
        "make", ["-C", top, target, "DESTDIR=\(folder.path)", "RELEASE=\(Self.service)"],
        package: "make")
      try #require(result.status == 0, "\(result.errors)")
    }
    func files() throws -> Set<String> {
      let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
      return Set((paths ?? []).filter { !FileManager.default.isFolder(folder($0)) })
    }
    try make("install")
    let installed = try files()
    for path in [
      "usr/bin/whorl", "usr/libexec/whorl/whorld", "usr/libexec/whorl/whorl-lint",
      "usr/libexec/whorl/whorl-keyring", "usr/libexec/whorl/whorl-prompt",
      "usr/share/locale/de/LC_MESSAGES/whorl.mo", "usr/share/man/man1/whorl.1",
      "usr/share/man/man5/whorld.conf.5", "usr/share/man/man8/whorld.8",
      "usr/lib/systemd/system/whorl.socket", "etc/pam.d/whorl-biometry", "etc/whorl/whorld.conf",
    ] { #expect(installed.contains(path), "\(path)") }
    // The installed whorl finds its parts from where it lies.
    let lint = Process()
    lint.executableURL = URL(filePath: folder("usr/bin/whorl"))
    lint.arguments = ["lint", "--rules"]
    lint.standardOutput = FileHandle.nullDevice
    try lint.run()
    lint.waitUntilExit()
    #expect(lint.terminationStatus == 0)
    let configuration = try String(contentsOfFile: folder("etc/whorl/whorld.conf"), encoding: .utf8)
    #expect(configuration == (try document("whorld.conf")))
    try "quota = 7\n".write(
      toFile: folder("etc/whorl/whorld.conf"), atomically: true, encoding: .utf8)
    try make("install")
    #expect(
      try String(contentsOfFile: folder("etc/whorl/whorld.conf"), encoding: .utf8) == "quota = 7\n")
    try make("uninstall")
    #expect(try files() == ["etc/whorl/whorld.conf"])
  }
}

extension FileManager {
  fileprivate func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
  }
}
