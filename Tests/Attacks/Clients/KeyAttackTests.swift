import AccessControl
import Glibc
import TestHost
import Testing
import Wire

/// Keys that are to be used in the service alone.
@Suite(.serialized) final class KeyAttackTests {
  let host: PrivateHost
  private let key: ItemIdentity

  init() throws {
    host = try PrivateHost.plain()
    var primary = ItemClass.key.primaryAttributes.map { _ in [UInt8]() }
    primary[2] = Array("signing".utf8)
    let client = try RawClient(host)
    let new = NewItem(
      identity: ItemIdentity(itemClass: .key, group: Array("whorl".utf8), primary: primary),
      attributes: Attributes(), accessControl: Raw.control("none + privateKeyUsage"))
    client.ask(.makeKey(new, .ed25519))
    #expect(client.outcome() == .done)
    let list = try RawClient(host)
    list.ask(.list(Query(itemClass: .key)))
    #expect(list.next() == .message(.hello(version: 1)))
    guard case .message(.done(.items(let rows))) = list.next() else {
      throw PrivateHost.Missing("no list")
    }
    key = try #require(rows.first).identity
  }

  private func outcome(
    _ operation: Wire.Operation, _ secret: String? = nil, user: uid_t = PrivateHost.games
  ) throws -> RawClient.Outcome {
    let client = try RawClient(host, user: user)
    client.send(
      Raw.hello + (secret.map(Raw.secret) ?? []) + Raw.frame(.request(Request(operation))))
    return client.outcome()
  }

  @Test func `a key that stays in the service is neither read nor made readable`() throws {
    #expect(try outcome(.sign(key, [1, 2, 3])) == .done)
    #expect(try outcome(.read([key])) == .failed(.notPermitted))
    #expect(try outcome(.read([key, key])) == .failed(.notPermitted))
    let open = Raw.control("none")
    #expect(try outcome(.update(key, Changes(accessControl: open))) == .failed(.notPermitted))
    let change = Changes(accessControl: open, replacesSecret: true)
    #expect(try outcome(.update(key, change), "x") == .failed(.notPermitted))
    // Another class would have no such rule.
    #expect(
      try outcome(.update(key, Changes(identity: Raw.item("open")))) == .failed(.badParameter))
    #expect(try outcome(.read([key])) == .failed(.notPermitted))
    #expect(
      try outcome(.agree(key, peer: [UInt8](repeating: 4, count: 65))) == .failed(.badParameter))
    for operation in [Wire.Operation.sign(key, [1]), .read([key]), .show(key), .delete(key)] {
      #expect(try outcome(operation, user: PrivateHost.other) == .failed(.notFound))
    }
    #expect(try outcome(.sign(key, [1, 2, 3])) == .done)
  }
}
