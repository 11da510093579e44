import Foundation
import TestHost
import Testing
import WhorlClient
import Wire

/// Clients that write the same item at once, of which one is slow.
@Suite(.serialized) final class SealedLateTests {
  private let it: SealedHost

  init() throws {
    it = try SealedHost()
  }

  /// As the service hands it out: a form begins with its format and its version.
  private func item(version: UInt8) -> PlacedItem {
    let bytes: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, version] + Array("a form".utf8)
    return PlacedItem(
      identity: ItemIdentity(group: [], service: [], account: Array("a".utf8)),
      attributes: Attributes(),
      form: SealedForm(
        id: [UInt8](repeating: 1, count: 16), digest: [UInt8](repeating: version, count: 32),
        count: UInt32(bytes.count)),
      bytes: bytes)
  }

  private func place(_ version: UInt8) throws {
    #expect(try it.call(.place(item(version: version))) == .done)
  }

  @Test func `a form that is placed late takes no later one away, and goes with the next`() throws {
    try place(2)
    try place(1)
    let secrets = Set(try it.sealed().map(\.secret))
    #expect(secrets.contains(hexadecimal(item(version: 2).bytes)))
    try place(3)
    #expect(try it.sealed().map(\.secret) == [hexadecimal(item(version: 3).bytes)])
  }

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }
}
