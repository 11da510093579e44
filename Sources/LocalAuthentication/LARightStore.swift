import AccessControl
import SecretMemory
import WhorlKit
import Wire

/// Keeps rights: each is an item with the right's secret and a key, in an access group of its own, so
/// that no query of the program's items finds or deletes them. Never asks anybody.
public final class LARightStore: NSObject, Sendable {
  public static let shared = LARightStore()

  /// Names the items that hold rights.
  static let service = Array("LARightStore".utf8)
  /// The attribute of a right that was saved with a secret.
  static let mark = "whorl.right"

  private override init() {}

  /// - Throws: `errSecItemNotFound` of `NSOSStatusErrorDomain`. A right that changed fingerprints ended
  ///   is found; its authorization fails.
  public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
    try await Waiting.run { try self.find(identifier) }
  }

  /// As the `async` form.
  public func right(
    forIdentifier identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    Waiting.run({ try self.find(identifier) }, completion: completion)
  }

  /// Saves a right under an identifier of this program's.
  ///
  /// - Throws: `errSecDuplicateItem` of `NSOSStatusErrorDomain` when there is one that is not ended by
  ///   changed fingerprints; `LAError` where its fingers cannot be asked for.
  public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
    try await Waiting.run { try self.save(right, identifier, nil) }
  }

  /// As the `async` form.
  public func saveRight(
    _ right: LARight, identifier: String,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    Waiting.run({ try self.save(right, identifier, nil) }, completion: completion)
  }

  /// Saves a right with a secret, which only its authorization opens.
  ///
  /// - Parameter data: 1 MiB at most.
  public func saveRight(
    _ right: LARight, identifier: String, secret data: Data
  ) async throws -> LAPersistedRight {
    try await Waiting.run { try self.save(right, identifier, data) }
  }

  /// As the `async` form.
  public func saveRight(
    _ right: LARight, identifier: String, secret data: Data,
    completion: @escaping @Sendable (LAPersistedRight?, (any Error)?) -> Void
  ) {
    Waiting.run({ try self.save(right, identifier, data) }, completion: completion)
  }

  /// - Throws: `errSecItemNotFound` of `NSOSStatusErrorDomain`.
  public func removeRight(_ right: LAPersistedRight) async throws {
    try await Waiting.run { try self.remove(right.identifier) }
  }

  /// As the `async` form.
  public func removeRight(
    _ right: LAPersistedRight, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Waiting.run({ try self.remove(right.identifier) }, completion: { completion($1) })
  }

  /// - Throws: `errSecItemNotFound` of `NSOSStatusErrorDomain`.
  public func removeRight(forIdentifier identifier: String) async throws {
    try await Waiting.run { try self.remove(Array(identifier.utf8)) }
  }

  /// As the `async` form.
  public func removeRight(
    forIdentifier identifier: String, completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Waiting.run({ try self.remove(Array(identifier.utf8)) }, completion: { completion($1) })
  }

  /// Removes every right of this program.
  public func removeAllRights() async throws {
    try await Waiting.run { try self.removeAll() }
  }

  /// As the `async` form.
  public func removeAllRights(completion: @escaping @Sendable ((any Error)?) -> Void) {
    Waiting.run({ try self.removeAll() }, completion: { completion($1) })
  }
}

extension LARightStore {
  private var group: [UInt8] { AccessGroups.own[0] + Array(".rights".utf8) }

  private func item(_ identifier: [UInt8]) -> ItemIdentity {
    ItemIdentity(group: group, service: Self.service, account: identifier)
  }

  private func find(_ identifier: String) throws -> LAPersistedRight {
    let identity = item(Array(identifier.utf8))
    do throws(KeychainError) {
      let row = try Keychain.shared.show(identity).row
      for key in try keys(identity.primary[0]) {
        guard let point = key.attributes[KeyKind.publicAttribute] else { continue }
        return LAPersistedRight(
          LAAuthenticationRequirement(row.accessControl), item: identity, key: key.identity,
          point: point)
      }
      throw KeychainError(.notFound)
    } catch { throw error.authorization }
  }

  private func keys(_ identifier: [UInt8]?) throws(KeychainError) -> [ItemRow] {
    var matching = Attributes()
    if let identifier { matching["atag"] = identifier }
    return try Keychain.shared.list(Query(itemClass: .key, groups: [group], matching: matching))
  }

  private func save(
    _ right: LARight, _ identifier: String, _ data: Data?
  ) throws -> LAPersistedRight {
    let identity = item(Array(identifier.utf8))
    let control = try right.requirement.control()
    let keyControl = try right.requirement.control(.privateKeyUsage)
    let bytes: SecretBytes
    do { bytes = try SecretBytes(data ?? Data()) } catch {
      throw Foundation.NSError(domain: NSOSStatusErrorDomain, code: Int(error.status))
    }
    var attributes = Attributes()
    if data != nil { attributes[Self.mark] = [1] }
    let new = NewItem(identity: identity, attributes: attributes, accessControl: control)
    do throws(KeychainError) {
      do throws(KeychainError) { try Keychain.shared.add(new, secret: bytes) } catch {
        guard error.code == .duplicate, try Keychain.shared.show(identity).row.isInvalidated else {
          throw error
        }
        try removeKeys(identity.primary[0])
        try Keychain.shared.addReplacing(new, secret: bytes)
      }
      do throws(KeychainError) {
        let key = NewItem(
          identity: keyIdentity(identity.primary[0]), attributes: Attributes(),
          accessControl: keyControl)
        let point = try Keychain.shared.makeKey(key, .p256)
        return LAPersistedRight(
          right.requirement, item: identity,
          key: keyIdentity(identity.primary[0], label: SecKey(.p256, publicBytes: point).label),
          point: point)
      } catch {
        // A right without its key is none.
        try? Keychain.shared.delete(identity)
        throw error
      }
    } catch { throw error.authorization }
  }

  private func keyIdentity(_ identifier: [UInt8], label: [UInt8] = []) -> ItemIdentity {
    let values: [String: [UInt8]] = [
      "kcls": Array("1".utf8), "klbl": label, "atag": identifier, "type": Array("73".utf8),
      "bsiz": Array("256".utf8),
    ]
    return ItemIdentity(
      itemClass: .key, group: group,
      primary: ItemClass.key.primaryAttributes.map { values[$0] ?? [] })
  }

  private func remove(_ identifier: [UInt8]) throws {
    do throws(KeychainError) {
      try removeKeys(identifier)
      try Keychain.shared.delete(item(identifier))
    } catch { throw error.authorization }
  }

  private func removeKeys(_ identifier: [UInt8]?) throws(KeychainError) {
    for key in try keys(identifier) { try Keychain.shared.delete(key.identity) }
  }

  private func removeAll() throws {
    do throws(KeychainError) {
      try removeKeys(nil)
      let rows = try Keychain.shared.list(Query(itemClass: .genericPassword, groups: [group]))
      for row in rows { try Keychain.shared.delete(row.identity) }
    } catch { throw error.authorization }
  }
}
