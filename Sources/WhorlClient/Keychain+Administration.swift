import AccessControl
import Wire

/// What administrators do: root, and whom polkit lets by its agent.
extension Keychain {
  /// The names of another account's items.
  public func list(
    ofUser user: [UInt8], options: RequestOptions = RequestOptions()
  ) throws(KeychainError) -> [ItemRow] {
    var rows: [ItemRow] = []
    while true {
      let last = rows.last?.row ?? 0
      guard
        case .items(let page) = try administer(.list(user: user, after: last), options),
        page.allSatisfy({ $0.row > last })
      else { throw KeychainError(.malformed) }
      guard !page.isEmpty else { return rows }
      rows += page
    }
  }

  /// The whole record of an account, of this process's where it is empty, oldest first.
  public func log(
    ofUser user: [UInt8], options: RequestOptions = RequestOptions()
  ) throws(KeychainError) -> [AuditRecord] {
    var records: [AuditRecord] = []
    while true {
      let skipped = UInt32(clamping: records.count)
      guard case .records(let page) = try administer(.log(user: user, skipping: skipped), options)
      else { throw KeychainError(.malformed) }
      guard !page.isEmpty, records.count < 1_000_000 else { return records }
      records = page + records
    }
  }

  /// Deletes all that is kept for an account but its record, for good.
  public func purge(
    user: [UInt8], options: RequestOptions = RequestOptions()
  ) throws(KeychainError) {
    guard try administer(.purge(user: user), options) == .done else {
      throw KeychainError(.malformed)
    }
  }

  /// When a password is wanted before a finger, after these changes.
  public func rules(
    _ changes: RuleChanges = RuleChanges(), options: RequestOptions = RequestOptions()
  ) throws(KeychainError) -> Rules {
    guard case .rules(let rules) = try administer(.rules(changes), options) else {
      throw KeychainError(.malformed)
    }
    return rules
  }

  /// Nobody is asked by a prompt of this process; polkit's agent asks for itself.
  private func administer(
    _ administration: Administration, _ options: RequestOptions
  ) throws(KeychainError) -> Reply {
    guard administration.isNamed else { throw KeychainError(.badParameter) }
    let request = Request(
      .administer(administration), allowsInteraction: false, usesAgent: options.allowsInteraction)
    return try runOneShot(
      Exchange.Call(
        request: request, prompter: NoPrompter(), store: store, mayUnlock: false,
        cancels: options.cancel.map { [$0] } ?? [])
    ).reply
  }
}

extension Administration {
  /// Whether the name can be one.
  fileprivate var isNamed: Bool {
    switch self {
    case .list(let user, _), .purge(let user): (1...Self.nameLimit).contains(user.count)
    case .log(let user, _): user.count <= Self.nameLimit
    case .rules: true
    }
  }
}
