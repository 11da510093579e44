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
}
