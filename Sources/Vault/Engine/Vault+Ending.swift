import AccessControl
import Wire

extension Vault {
  /// The account has no password any more: what was kept only as long as it had one is deleted.
  ///
  /// - Returns: the names of the deleted items.
  public func passcodeRemoved(of owner: Owner) -> [[UInt8]] {
    guard let store = try? store(of: owner) else { return [] }
    var found: [(identity: [UInt8], name: [UInt8], form: [UInt8]?)] = []
    try? store.scan(after: 0) { stored in
      var decoder = Decoder(stored.identity)
      if let identity = try? ItemIdentity(from: &decoder),
        let kept = try? KeptItem(stored.sealed),
        kept.header.accessControl.accessibility == .whenPasscodeSetThisDeviceOnly
      {
        found.append((stored.identity, identity.displayName, kept.outside?.id))
      }
      return true
    }
    let ended = found.filter { (try? store.delete($0.identity)) == true }
    note(surplus: ended.compactMap(\.form), of: owner)
    return ended.map(\.name)
  }
}
