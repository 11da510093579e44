import Testing
import WhorlKit
import Wire

/// What the store must hold, as far as it was acknowledged.
struct CrashModel {
  /// One write of one item.
  struct Write: Equatable {
    var secret: [UInt8]
    var label: String
    /// The set of prints it is bound to; nil for an item that is open to its user.
    var prints: Int?
    /// Whether other prints were there since, so that its generation may have ended.
    var mayBeDead = false
    /// Whether the daemon said that its generation has ended.
    var isDead = false
  }

  enum Operation {
    case put(String, Write, AuditRecord.Action)
    case delete(String)
    case change(prints: Int)
    case look

    var record: (AuditRecord.Action, String)? {
      switch self {
      case .put(let name, _, let action): (action, name)
      case .delete(let name): (.delete, name)
      case .change, .look: nil
      }
    }

    /// A change of the prints is nothing that a client asks for.
    func perform(_ model: CrashModel, _ keychain: Keychain) throws(KeychainError) {
      switch self {
      case .put(let name, let write, .update):
        try keychain.change(name, write.secret, label: write.label)
      case .put(let name, let write, _):
        try keychain.add(
          name, write.secret, label: write.label,
          policy: write.prints == nil ? "none" : "biometryCurrentSet",
          replacing: model.items[name] != nil)
      case .delete(let name): try keychain.delete(.named(name))
      case .look: _ = try keychain.domainState()
      case .change: break
      }
    }
  }

  private(set) var items: [String: Write] = [:]
  var prints = 0
  /// What was asked and not answered.
  var open: Operation?
  /// Acknowledged writes since the start, oldest first.
  private(set) var acknowledged: [(AuditRecord.Action, String)] = []

  mutating func acknowledge(_ operation: Operation) {
    open = nil
    if let record = operation.record { acknowledged.append(record) }
    switch operation {
    case .put(let name, let write, _):
      items[name] = write
      if write.prints != nil { looked() }
    case .delete(let name): items[name] = nil
    case .change(let prints): changePrints(prints)
    case .look: looked()
    }
  }

  mutating func changePrints(_ index: Int) {
    prints = index
    for (name, write) in items where write.prints != nil && write.prints != index {
      items[name]?.mayBeDead = true
    }
  }

  /// The daemon has looked at the prints: what is bound to others is dead for good.
  mutating func looked() {
    for (name, write) in items where write.prints != nil && write.prints != prints {
      items[name]?.isDead = true
    }
  }

  /// Compares with what is there after a restart, and learns what became of the open operation.
  mutating func verify(_ keychain: Keychain) throws {
    try settle(try keychain.list())
    looked()
    let names = items.keys.sorted()
    for name in names {
      let write = items[name]!
      guard let bound = write.prints else {
        #expect(try keychain.value(name) == write.secret, "\(name)")
        continue
      }
      let isLive = try keychain.show(.named(name)).binding == .live
      if write.isDead {
        #expect(!isLive, "the ended generation of \(name) came back")
      } else if !write.mayBeDead {
        #expect(isLive == (bound == prints), "the generation of \(name) was lost")
      } else if !isLive {
        items[name]?.isDead = true
      }
      let error = #expect(throws: KeychainError.self) { try keychain.value(name) }
      #expect(error?.code == (isLive ? .interactionNotAllowed : .invalidated), "\(name)")
    }
  }

  private mutating func settle(_ rows: [ItemRow]) throws {
    let found = Dictionary(
      uniqueKeysWithValues: rows.map { ($0.identity.account, $0.label) })
    if let operation = open {
      switch operation {
      case .put(let name, let write, _) where found[name] == write.label: items[name] = write
      case .delete(let name) where found[name] == nil: items[name] = nil
      case .put, .delete, .change, .look: break
      }
      open = nil
    }
    #expect(found == items.mapValues(\.label), "an acknowledged write is missing or half there")
  }

  /// The record has every acknowledged write in order, and no more than the open one after it.
  func verifyRecord(_ keychain: Keychain) throws {
    let records = try keychain.log(limit: 256).filter {
      $0.failure == nil && [.add, .update, .delete].contains($0.action)
    }.map { "\($0.action) \(String(decoding: $0.item, as: UTF8.self))" }
    // An answer holds so many records, of which some are of reads.
    #expect(records.count >= min(acknowledged.count, 20))
    let expected = acknowledged.suffix(max(20, records.count - 1)).map { "\($0.0) \($0.1)" }
    let tail = Array(records.suffix(expected.count))
    let beforeOpen = Array(records.dropLast().suffix(expected.count))
    #expect(
      tail == expected || (open?.record != nil && beforeOpen == expected),
      "\(records.suffix(5)) for \(expected.suffix(5)), open \(String(describing: open))")
  }

  mutating func restarted() { acknowledged = [] }
}
