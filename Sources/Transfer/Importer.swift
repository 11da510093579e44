import AccessControl
import SecretMemory
import WhorlClient
import Wire

/// Takes items over, one by one, so that an end at any moment loses nothing and the next run goes
/// on: an item carries the mark of where it came from, and until it is compared and gated, a mark
/// that says so.
///
/// A gated item cannot be read back without an act of the person. So each is stored ungated first,
/// as open as it was where it came from; read back and compared byte by byte; and then gated, which
/// the service does in one step.
public final class Importer {
  /// How an item stands that was found where it comes from.
  public enum Standing: Equatable, Sendable {
    case new
    /// An earlier run began with it and did not come to the end.
    case begun
    case imported
    /// It was imported, and has changed there since.
    case changed
  }

  private let keychain: Keychain
  private let group: [UInt8]
  private let accessControl: AccessControl
  private var rows: [[UInt8]: ItemRow] = [:]
  private var taken: Set<ItemIdentity> = []
  /// A number of each name, of which all before are taken.
  private var numbers: [ItemName: Int] = [:]

  /// - Parameter accessControl: what a read of an imported item must prove; without an application
  ///   password.
  public init(
    _ keychain: Keychain, group: [UInt8], accessControl: AccessControl
  ) throws(KeychainError) {
    precondition(!accessControl.needsApplicationPassword)
    self.keychain = keychain
    self.group = group
    self.accessControl = accessControl
    for row in try keychain.list(Query(groups: [group])) {
      taken.insert(row.identity)
      if let source = row.attributes[IncomingItem.sourceMark] { rows[source] = row }
    }
  }

  public func standing(of item: IncomingItem) -> Standing {
    guard let row = rows[item.source] else { return .new }
    if row.attributes[IncomingItem.pendingMark] != nil { return .begun }
    return row.attributes[IncomingItem.versionMark] ?? [] == item.version ? .imported : .changed
  }

  /// The item that an earlier run made of it.
  public func identity(of item: IncomingItem) -> ItemIdentity? { rows[item.source]?.identity }

  /// Items that an earlier run began with and that are still not gated.
  public var unfinished: [ItemIdentity] {
    rows.values.filter { $0.attributes[IncomingItem.pendingMark] != nil }.map(\.identity)
  }

  /// What it will be called.
  public func wished(for item: IncomingItem) -> ItemIdentity {
    if let identity = identity(of: item) { return identity }
    var number = numbers[item.name, default: 1]
    while true {
      let name = number == 1 ? item.name : item.name.numbered(number)
      let identity = ItemIdentity(name, group: group)
      if !taken.contains(identity) {
        numbers[item.name] = number
        return identity
      }
      number += 1
    }
  }

  /// Sets a name aside without storing anything, for a dry run.
  public func reserve(_ identity: ItemIdentity) { taken.insert(identity) }

  /// Stores the item, or stores it anew.
  ///
  /// - Returns: its identity, once it is gated and what the service keeps equals `secret`.
  @discardableResult
  public func take(
    _ item: IncomingItem, secret: SecretBytes
  ) throws(ImportError) -> ItemIdentity {
    guard secret.count <= Limits.secret else { throw .tooLong }
    let identity = wished(for: item)
    do throws(KeychainError) {
      try store(item, identity, secret)
      let silent = RequestOptions(allowsInteraction: false)
      let stored = try keychain.read(identity, options: silent)
      guard Self.isEqual(stored, secret) else { throw KeychainError(.corrupted) }
      try keychain.update(
        identity, Changes(attributes: item.marked(pending: false), accessControl: accessControl),
        options: silent)
      let detail = try keychain.show(identity)
      guard detail.row.accessControl == accessControl, Int(detail.secretCount) == secret.count
      else { throw KeychainError(.corrupted) }
      rows[item.source] = detail.row
    } catch {
      throw error.code == .corrupted && error.problem == nil ? .differs : .keychain(error)
    }
    return identity
  }

  private func store(
    _ item: IncomingItem, _ identity: ItemIdentity, _ secret: SecretBytes
  ) throws(KeychainError) {
    let open: AccessControl
    do {
      open = try AccessControl(
        text: "none", accessibility: accessControl.accessibility, reuseLimit: 0)
    } catch { throw KeychainError(.badParameter) }
    let new = NewItem(
      identity: identity, attributes: item.marked(pending: true), accessControl: open)
    if rows[item.source] == nil {
      // Should somebody else have taken the name since, theirs stays.
      try keychain.add(new, secret: secret)
    } else {
      try keychain.addReplacing(new, secret: secret)
    }
    taken.insert(identity)
  }

  /// Whether the items of earlier runs are still what their sources hold. One act of the person.
  ///
  /// - Parameter items: 1 to 64, whose secrets are 4 MiB together at most.
  public func compare(
    _ items: [(identity: ItemIdentity, secret: SecretBytes)], reason: [UInt8]
  ) throws(KeychainError) -> [Bool] {
    let stored = try keychain.read(
      items.map(\.identity), options: RequestOptions(reason: reason))
    return zip(stored, items).map { Self.isEqual($0, $1.secret) }
  }

  /// Whether both hold the same bytes.
  public static func isEqual(_ left: SecretBytes, _ right: SecretBytes) -> Bool {
    guard left.count == right.count else { return false }
    return left.withBytes { left in
      right.withBytes { right in left.indices.allSatisfy { left[$0] == right[$0] } }
    }
  }
}
