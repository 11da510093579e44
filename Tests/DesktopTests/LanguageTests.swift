import Foundation
import Glibc
import TestHost
import Testing

/// What people read in other languages than English.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class LanguageTests {
  private static let locales = "/usr/share/locale"
  let desktop: Desktop
  var host: PrivateHost { desktop.host }

  init() throws {
    desktop = try Desktop()
    try desktop.startSession()
  }

  deinit { umount2(Self.locales, Int32(MNT_DETACH)) }

  private static let catalogs = PrivateHost.repository.appendingPathComponent("pam/po")

  private func install() throws {
    let folder = "\(host.folder)/locale"
    for language in ["de", "fr"] {
      let catalog = "\(folder)/\(language)/LC_MESSAGES"
      try desktop.run(
        "mkdir -p \(catalog) && msgfmt --check -o \(catalog)/whorl.mo "
          + "\(Self.catalogs.path)/\(language).po")
    }
    try desktop.run(
      "mount -t overlay overlay -o lowerdir=\(folder):\(Self.locales) \(Self.locales)")
  }

  @Test(arguments: [
    ("de", "Berühren Sie den Fingerabdruckleser"), ("fr", "Touchez le lecteur d’empreintes"),
    ("xx", "Touch the fingerprint reader"),
  ])
  func `su asks for a touch in the language it has set`(language: String, text: String) throws {
    try install()
    try desktop.write(
      stack: """
        auth sufficient @MODULE@ verify timeout=8
        auth required pam_deny.so
        account required pam_permit.so
        session required pam_permit.so
        """, as: "su")
    let su = try host.terminal(
      program: [
        "/usr/bin/env", "LANG=C.UTF-8", "LANGUAGE=\(language)", "/usr/bin/su", Desktop.name, "-c",
        "id -u",
      ], user: Namespace.user)
    try su.expect(text)
    try desktop.touch("alice")
    try su.expect("\(Desktop.user)\n")
    #expect(try su.status() == 0)
  }

  @Test(arguments: ["de", "fr"])
  func `every text of the module is translated`(language: String) throws {
    let source = try String(
      contentsOf: PrivateHost.repository.appendingPathComponent("Sources/PAMWhorl/Speech.swift"),
      encoding: .utf8)
    let texts = source.matches(of: /StaticString =\s*"([^"]+)"/).map { String($0.1) }
    let catalog = try String(
      contentsOf: Self.catalogs.appendingPathComponent("\(language).po"), encoding: .utf8)
    let pairs = catalog.matches(of: /msgid "([^"]+)"\nmsgstr "([^"]+)"/)
    #expect(texts.count == 9)
    #expect(Set(pairs.map { String($0.1) }) == Set(texts))
    #expect(pairs.allSatisfy { $0.1 != $0.2 })
  }

  @Test(arguments: [
    ("de_DE.UTF-8", "Alle Einträge eines Benutzers endgültig löschen"),
    ("fr", "Supprimer définitivement tous les éléments d’un utilisateur"),
    ("C", "Delete all items of a user for good"),
  ])
  func `polkitd gives an agent its texts in the agent's language`(
    locale: String, text: String
  ) throws {
    try desktop.installActions()
    defer { desktop.removeActions() }
    let result = try host.run([
      "/usr/bin/dbus-send", "--bus=\(host.busAddress)", "--print-reply",
      "--dest=org.freedesktop.PolicyKit1", "/org/freedesktop/PolicyKit1/Authority",
      "org.freedesktop.PolicyKit1.Authority.EnumerateActions", "string:\(locale)",
    ])
    #expect(result.output.contains(text), "\(result.output.suffix(2000)) \(result.error)")
  }
}
