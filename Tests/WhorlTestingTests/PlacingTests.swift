import AccessControl
import SecretMemory
import Testing
import WhorlKit
import WhorlTesting
import Wire

/// What is said of an item that could not be placed in the user's own keyring.
@Suite struct PlacingTests {
  private func item(_ name: String, _ store: StoreKind) throws -> NewItem {
    NewItem(
      identity: ItemIdentity(group: Array("app".utf8), service: [], account: Array(name.utf8)),
      attributes: Attributes(), accessControl: try AccessControl(text: "none"), store: store)
  }

  @Test func `a call tells of its own item, whatever befell another's`() throws {
    let test = try TestKeychain()
    let (outer, inner) = (try item("outer", .secretService), try item("inner", .own))
    func secret() throws -> SecretBytes { try SecretBytes(testText: "s") }
    #expect(try test.keychain.add(outer, secret: secret()) == nil)
    test.outside.problem = .gone
    let problem = try test.keychain.update(outer.identity, Changes(), secret: secret())
    #expect(problem?.keyring == .gone)
    #expect(try test.keychain.add(inner, secret: secret()) == nil)
    #expect(try test.keychain.update(inner.identity, Changes(), secret: secret()) == nil)
    test.outside.problem = nil
    #expect(try test.keychain.update(outer.identity, Changes(), secret: secret()) == nil)
  }

  @Test func `a form that cannot be dropped keeps no other, and costs reads nothing`() throws {
    let test = try TestKeychain()
    let items = try ["a", "b", "c"].map { try item($0, .secretService) }
    for item in items {
      #expect(try test.keychain.add(item, secret: SecretBytes(testText: "s")) == nil)
    }
    let ids = test.outside.items.map(\.form.id)
    test.outside.locked = [ids[0]]
    for item in items.dropLast() { try test.keychain.delete(item.identity) }
    #expect(test.outside.items.map(\.form.id) == [ids[0], ids[2]])
    func calls() throws -> Int {
      let before = test.outside.calls
      _ = try test.keychain.read([items[2].identity])
      return test.outside.calls - before
    }
    // Once for the form, and the first time for what is to be dropped.
    #expect(try [calls(), calls(), calls()] == [2, 1, 1])
    test.outside.locked = []
    try test.keychain.delete(items[2].identity)
    #expect(test.outside.items.isEmpty)
  }
}
