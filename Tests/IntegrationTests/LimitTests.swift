import TestHost
import Testing

/// Limits are told before a person is asked, not after.
@Suite(.serialized) final class LimitTests {
  private static let mebibyte = String(repeating: "s", count: 1 << 20)

  private func large(_ count: Int, _ access: String, on host: PrivateHost) throws -> [String] {
    let names = (0..<count).map { "large\($0)" }
    for name in names { try host.add(name, Self.mebibyte, access: access) }
    return names
  }

  private func refuses(
    _ words: [String], _ status: Int32, _ text: String, on host: PrivateHost
  ) throws {
    let terminal = try host.terminal(words)
    #expect(try terminal.status() == status, "\(terminal.output)")
    #expect(terminal.output.contains(text), "\(terminal.output)")
    #expect(!terminal.output.contains("password:"), "\(terminal.output)")
  }

  @Test func `more than one request may release is refused before anybody is asked`() throws {
    let host = try PrivateHost.complete()
    let names = try large(5, "userPresence", on: host)
    let text = "5242880 bytes together, of 4194304 at most"
    try refuses(["read"] + names, 206, text, on: host)
    let record = try host.whorl(["log"]).output.split(separator: "\n")
    #expect(record.filter { $0.contains("read ") }.allSatisfy { !$0.hasSuffix("done") })
  }

  @Test func `as much as one request may release arrives whole, also at a slow reader`() throws {
    let host = try PrivateHost.complete()
    let names = try large(4, "none", on: host)
    let result = try host.run(
      ["/bin/sh", "-c", "\(host.command) read \(names.joined(separator: " ")) | (sleep 1; wc -c)"],
      user: PrivateHost.games, seconds: 20)
    #expect(result.output == "\(4 * ((1 << 20) + 1))\n", "\(result.error)")
  }

  @Test func `an update that cannot be stored is refused before anybody is asked`() throws {
    let host = try PrivateHost.complete(["quota = 3000"])
    try host.add("token")
    try host.add("other")
    let update = try host.terminal(
      program: [
        "/bin/sh", "-c", "head -c 4000 /dev/zero | \(host.command) update token --secret",
      ])
    #expect(try update.status() == 1)
    #expect(update.output.contains("you have stored as much as you may"))
    #expect(!update.output.contains("password:"))
    try refuses(["update", "--rename", "other", "token"], 45, "there is such an item", on: host)
    try refuses(
      ["update", "--access", "none + applicationPassword", "token"], 206,
      "an application password is set by add", on: host)
  }

  @Test func `a binding to fingerprints that are not there is refused before anybody is asked`()
    throws
  {
    let host = try PrivateHost()
    try host.startAll()
    try host.add("token")
    try refuses(
      ["update", "--access", "biometryCurrentSet", "token"], 249, "no fingerprint is enrolled",
      on: host)
  }
}
