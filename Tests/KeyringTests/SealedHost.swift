import Foundation
import Glibc
import TestHost
import Testing
import WhorlClient

/// A host whose user keeps sealed items in a real gnome-keyring.
final class SealedHost {
  let it: KeyringHost
  var host: PrivateHost { it.host }
  var keyring: PrivateKeyring { it.keyring }

  /// What the prefix of a command's environment is.
  var environment: [String] { keyring.environment }

  init(isEmpty: Bool = false) throws {
    it = try KeyringHost(isEmpty: isEmpty)
    try it.host.installHelper("whorl-secret-service")
  }

  @discardableResult
  func whorl(_ words: String..., input: String = "", seconds: Double = 60) throws -> CommandResult {
    try host.whorl(words, input: input, prefix: environment, seconds: seconds)
  }

  /// Stores an item in the keyring.
  func add(
    _ name: String, _ secret: String = "hunter2", access: String = "none", _ options: String...
  ) throws {
    let result = try host.whorl(
      ["add", name, "--store", "secret-service", "--access", access] + options, input: secret,
      prefix: environment, seconds: 60)
    #expect(result.status == 0 && result.error.isEmpty, "\(result)")
  }

  /// The secret of an item that opens without a person.
  func read(_ name: String) throws -> String {
    let result = try whorl("read", name)
    #expect(result.status == 0, "\(result)")
    return result.output
  }

  /// A command on a terminal, in the environment of the keyring.
  func terminal(_ words: String...) throws -> Terminal {
    try host.terminal(program: environment + [host.command] + words)
  }

  /// What the keyring has of Whorl's, as another client sees it.
  func sealed() throws -> [KeyringDump.Item] {
    try it.client("dump", "xdg:schema=org.whorl.SealedItem").items
  }

  /// Puts other bytes in the place of a sealed form.
  func overwrite(_ item: KeyringDump.Item, with bytes: String) throws {
    try it.client("bytes", item.path, bytes)
  }

  /// One item as `list --json` has it.
  struct Row: Decodable {
    let name: String
    let store: String
    let placed: Bool
  }

  func rows() throws -> [Row] {
    let result = try whorl("list", "--json")
    return try JSONDecoder().decode([Row].self, from: Data(result.output.utf8))
  }
}

extension SealedHost {
  /// Writes the user's settings.
  ///
  /// - Returns: the variable that says where they are.
  func settle(_ text: String) throws -> [String] {
    let folder = host.folder + "/settings"
    try FileManager.default.createDirectory(
      atPath: folder + "/whorl", withIntermediateDirectories: true)
    try text.write(toFile: folder + "/whorl/whorl.conf", atomically: false, encoding: .utf8)
    return ["XDG_CONFIG_HOME=\(folder)"]
  }
}

extension SealedHost {
  /// Whether the program that speaks with the keyring runs.
  var isAsking: Bool { isRunning("whorl-secret-service") }

  func isRunning(_ program: String) -> Bool {
    let path = host.folder + "/" + program
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.contains { process in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")) == path
    }
  }
}

extension SealedHost {
  /// What the program that speaks with the keyring answers to a call that asks nobody.
  func call(_ operation: KeyringCall.Operation) throws -> KeyringAnswer {
    let (call, answer) = (host.folder + "/call", host.folder + "/keyring/answer")
    try Data(KeyringCall(operation, mayAsk: false).encoded).write(to: URL(filePath: call))
    let result = try host.run(
      environment + [
        "/bin/sh", "-c", "\"$0\" < \"$1\" > \"$2\"", host.folder + "/whorl-secret-service", call,
        answer,
      ], user: PrivateHost.games)
    #expect(result.status == 0, "\(result)")
    return try KeyringAnswer(Array(Data(contentsOf: URL(filePath: answer))))
  }
}
