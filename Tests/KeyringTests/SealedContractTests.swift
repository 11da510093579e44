import Foundation
import TestHost
import Testing

/// The contract of secure stores, kept by whorld and a real gnome-keyring together.
@Suite(.serialized) final class SealedContractTests {
  @Test func `an app whose user settled on the keyring keeps the contract`() throws {
    let it = try SealedHost()
    let program = it.host.folder + "/token-example"
    try it.host.copy(PrivateHost.programs + "/token-example", program)
    let settings = try it.settle("store = secret-service\n")
    let result = try it.host.run(
      it.environment + settings + [program, "contract"], user: PrivateHost.games, seconds: 240)
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count > 8)
    for line in lines { #expect(line.hasPrefix("ok: "), "\(line)") }
    // All of it went to the keyring, and what is left there is what there is.
    let rows = try it.rows()
    #expect(rows.allSatisfy { $0.store == "secret-service" && $0.placed })
    #expect(try it.sealed().count == rows.count)
    #expect(
      try it.host.run(
        it.environment + settings + [program, "save-open", "x"], user: PrivateHost.games,
        seconds: 30
      ).output == "saved\n")
    #expect(try it.sealed().count == rows.count + 1)
  }

  @Test func `the user's settings choose for the command line, which may say otherwise`() throws {
    let it = try SealedHost()
    let settings = try it.settle("# mine\nstore = secret-service\n")
    func run(_ words: String...) throws -> CommandResult {
      try it.host.whorl(words, input: "x", prefix: it.environment + settings, seconds: 60)
    }
    #expect(try run("add", "a", "--access", "none").status == 0)
    #expect(try run("add", "b", "--access", "none", "--store", "default").status == 0)
    #expect(
      Dictionary(uniqueKeysWithValues: try it.rows().map { ($0.name, $0.store) })
        == ["a": "secret-service", "b": "default"])
    #expect(try run("update", "b", "--store", "secret-service").status == 0)
    #expect(try run("update", "a", "--store", "default").status == 0)
    #expect(
      Dictionary(uniqueKeysWithValues: try it.rows().map { ($0.name, $0.store) })
        == ["a": "default", "b": "secret-service"])
    #expect(try it.sealed().map { $0.attributes["whorl:account"] } == ["b"])
    #expect(try it.read("a") == "x" && it.read("b") == "x")
    _ = try it.settle("store = somewhere\n")
    let wrong = try run("add", "c", "--access", "none")
    #expect(wrong.status == 206 && wrong.error.contains("\"line 1 of /"), "\(wrong)")
    _ = try it.settle("store = secret-service\ncollection = nowhere\n")
    let missing = try run("add", "c", "--access", "none")
    #expect(missing.error.contains("your keyring has no collection \"nowhere\""), "\(missing)")
    #expect(missing.error.contains("/settings/whorl/whorl.conf\" names it."), "\(missing)")
    _ = try it.settle("store = secret-service\ncollection = Login\n")
    let named = try run("add", "c", "--access", "none")
    #expect(named.status == 0 && named.error.isEmpty, "\(named)")
  }
}
