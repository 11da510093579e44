import Foundation
import TestHost
import Testing
import WhorlClient
import Wire

/// What is dropped of what belongs to nothing any more, where something stands in the way.
@Suite(.serialized) final class SealedDiscardTests {
  private let it: SealedHost
  private let ids = (1...3).map { [UInt8](repeating: $0, count: SealedForm.idCount) }

  init() throws {
    it = try SealedHost(isEmpty: true)
  }

  private func item(_ id: [UInt8]) -> PlacedItem {
    let bytes: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 1] + Array("a form".utf8)
    return PlacedItem(
      identity: ItemIdentity(group: [], service: [], account: [id[0]]), attributes: Attributes(),
      form: SealedForm(id: id, digest: id + id, count: UInt32(bytes.count)), bytes: bytes)
  }

  @Test func `one that cannot be deleted keeps no other`() throws {
    let keyring = try SmallKeyring(it.it, answering: "dismiss", faults: ["delete:1"])
    defer { extendLifetime(keyring) }
    for id in ids { #expect(try it.call(.place(item(id))) == .done) }
    #expect(try it.call(.discard(ids: ids)) == .dropped(Array(ids[1...])))
    // The first is there, and another is not.
    let (first, second) = (item(ids[0]), item(ids[1]))
    #expect(try it.call(.fetch([first.form])) == .forms([first.bytes]))
    #expect(try it.call(.fetch([second.form])) == .problem(.missing))
  }

  @Test func `what a locked collection may hide is not said to be gone`() throws {
    let keyring = try SmallKeyring(it.it, answering: "dismiss", faults: ["shut"])
    defer { extendLifetime(keyring) }
    #expect(try it.call(.place(item(ids[0]))) == .done)
    // What was seen to be deleted is gone, whatever else is locked.
    #expect(try it.call(.discard(ids: ids)) == .dropped([ids[0]]))
  }

  @Test func `what is nowhere is gone where nothing is locked`() throws {
    let keyring = try SmallKeyring(it.it, answering: "dismiss")
    #expect(try it.call(.discard(ids: ids)) == .dropped(ids))
    try it.it.client("lock")
    #expect(try it.call(.discard(ids: ids)) == .dropped([]))
    #expect(keyring.prompts == 0)
  }
}
