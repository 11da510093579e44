import Foundation
import PAM
import SecretMemory
import TemporaryFolder
import Testing

/// pam_matrix, of the Debian package libpam-wrapper, checks passwords of a file without accounts.
@Suite struct TransactionTests {
  private let folder: TemporaryFolder
  private static let module = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"

  init() throws {
    try #require(
      FileManager.default.fileExists(atPath: Self.module), "install the package libpam-wrapper")
    folder = try TemporaryFolder()
    let passwords = folder("passdb")
    try write("passdb", "alice:sesame:whorl-passcode\n")
    try write(
      "whorl-passcode",
      """
      auth required \(Self.module) passdb=\(passwords) verbose
      account required \(Self.module) passdb=\(passwords) verbose

      """)
  }

  private func write(_ name: String, _ text: String) throws {
    try folder.write(Array(text.utf8), to: name)
  }

  private func secret(_ text: String) throws -> SecretBytes {
    try SecretBytes(copying: Array(text.utf8).span)
  }

  private func authenticate(_ answer: SecretBytes?) throws -> (Int32, [PromptStyle]) {
    var styles: [PromptStyle] = []
    var transaction = try Transaction(
      service: "whorl-passcode", user: "alice", directory: folder.path
    ) { style, _ in
      styles.append(style)
      return style == .echoOff ? answer : nil
    }
    let code = transaction.authenticate()
    #expect(transaction.user() == "alice")
    return (code, styles)
  }

  @Test func `the right password passes and the account stack follows`() throws {
    let answer = try secret("sesame")
    var transaction = try Transaction(
      service: "whorl-passcode", user: "alice", directory: folder.path
    ) { style, _ in style == .echoOff ? answer : nil }
    try transaction.set(.remoteHost, "203.0.113.5")
    try transaction.set(.terminal, "pts/3")
    #expect(transaction.authenticate() == 0)
    #expect(transaction.manageAccount() == 0)
    #expect(transaction.user() == "alice")
  }

  @Test func `a wrong password fails`() throws {
    #expect(try authenticate(secret("sesam")).0 == 7)
  }

  @Test func `no answer ends the conversation and never passes`() throws {
    let (code, styles) = try authenticate(nil)
    #expect(code != 0)
    #expect(styles.contains(.echoOff))
  }

  @Test func `a password with a zero byte is not shortened to its beginning`() throws {
    #expect(try authenticate(secret("sesame\0tail")).0 != 0)
  }

  @Test func `a password longer than PAM can carry is refused`() throws {
    #expect(try authenticate(secret(String(repeating: "s", count: 512))).0 != 0)
  }

  @Test func `a missing service file in the given folder starts nothing`() throws {
    #expect(throws: PAMError.start(code: 26)) {
      _ = try Transaction(service: "whorl-none", user: "alice", directory: folder.path) { _, _ in
        nil
      }
    }
  }

  @Test func `a module that asks for a delay does not get one`() throws {
    let start = ContinuousClock.now
    #expect(try authenticate(secret("wrong")).0 == 7)
    #expect(ContinuousClock.now - start < .seconds(1))
  }
}
