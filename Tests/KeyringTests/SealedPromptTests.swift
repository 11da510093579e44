import Foundation
import TestHost
import Testing

/// A keyring that asks the person to unlock it.
@Suite(.serialized) final class SealedPromptTests {
  @Test func `a locked keyring's own prompt unlocks it, for a read and for an add`() throws {
    let it = try SealedHost(isEmpty: true)
    let keyring = try SmallKeyring(it.it, answering: "unlock")
    try it.add("a", "one")
    try it.it.client("lock")
    #expect(try it.whorl("read", "--no-interaction", "a").status == 36)
    #expect(keyring.prompts == 0)
    #expect(try it.read("a") == "one")
    #expect(keyring.prompts == 1)
    try it.it.client("lock")
    try it.add("b", "two")
    #expect(keyring.prompts == 2)
    #expect(try it.read("b") == "two")
  }

  @Test func `a prompt that is dismissed is a locked keyring, and nothing is stored`() throws {
    let it = try SealedHost(isEmpty: true)
    let keyring = try SmallKeyring(it.it, answering: "dismiss")
    try it.add("a", "one")
    try it.it.client("lock")
    for words in [["read", "a"], ["add", "b", "--store", "secret-service"]] {
      let result = try it.host.whorl(words, input: "x", prefix: it.environment, seconds: 60)
      #expect(result.status == 36 && result.error.contains("your keyring is locked"), "\(result)")
    }
    #expect(keyring.prompts == 2)
    #expect(try it.rows().map(\.name) == ["a"])
  }
}
