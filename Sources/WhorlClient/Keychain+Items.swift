import AccessControl
import SecretMemory
import Wire

extension Keychain {
  /// Stores a new item. Never prompts.
  ///
  /// - Parameter applicationPassword: the item's own password, when its access control wants one;
  ///   by default the credential of the context.
  /// - Returns: why the item could not be placed in the store outside, where it is to be; nil when it
  ///   was. Until it is placed the service keeps it, and the next read tries again.
  /// - Throws: `.duplicate` when there is an item of this identity.
  @discardableResult
  public func add(
    _ item: NewItem, secret: SecretBytes, applicationPassword: SecretBytes? = nil,
    options: RequestOptions = RequestOptions(), context: AuthContext? = nil
  ) throws(KeychainError) -> KeychainError? {
    try add(item, secret, applicationPassword, replacing: false, options, context)
  }

  /// Stores an item in place of the one of the same identity, if there is one, in one step: a
  /// failure keeps the old one. Never prompts.
  ///
  /// - Returns: as `add`.
  @discardableResult
  public func addReplacing(
    _ item: NewItem, secret: SecretBytes, applicationPassword: SecretBytes? = nil,
    options: RequestOptions = RequestOptions(), context: AuthContext? = nil
  ) throws(KeychainError) -> KeychainError? {
    try add(item, secret, applicationPassword, replacing: true, options, context)
  }

  private func add(
    _ item: NewItem, _ secret: SecretBytes, _ password: SecretBytes?, replacing: Bool,
    _ options: RequestOptions, _ context: AuthContext?
  ) throws(KeychainError) -> KeychainError? {
    var item = item
    // Nothing said is the service's own store, or where a replaced item is.
    if item.store == nil, try defaultStore.kind() == .secretService { item.store = .secretService }
    if item.store == .secretService { try prepareStore(options, context) }
    var secrets: [SecretBytes] = []
    if item.accessControl.needsApplicationPassword {
      guard let password = password ?? context?.applicationPassword else {
        throw KeychainError(.badParameter, detail: Array("application password".utf8))
      }
      secrets.append(password)
    }
    secrets.append(secret)
    return try expectDone(
      .add(item, replacing: replacing), secrets: secrets, options: options, context: context)
  }

  /// The secret of one item.
  public func read(
    _ item: ItemIdentity, options: RequestOptions = RequestOptions(),
    context: AuthContext? = nil
  ) throws(KeychainError) -> SecretBytes {
    try read([item], options: options, context: context)[0]
  }

  /// The secrets of all these items in order, by one act of the person, or of none of them.
  ///
  /// - Parameter items: 1 to 64, whose secrets are 4 MiB together at most.
  public func read(
    _ items: [ItemIdentity], options: RequestOptions = RequestOptions(),
    context: AuthContext? = nil
  ) throws(KeychainError) -> [SecretBytes] {
    guard !items.isEmpty, items.count <= Limits.items else { throw KeychainError(.badParameter) }
    let answer = try perform(.read(items), options: options, context: context)
    guard case .secrets = answer.reply, answer.secrets.count == items.count else {
      throw KeychainError(.malformed)
    }
    return answer.secrets
  }

  /// Changes an item. Prompts when the item is gated.
  ///
  /// - Parameter secret: the new secret; nil keeps the old one.
  /// - Returns: as `add`.
  @discardableResult
  public func update(
    _ item: ItemIdentity, _ changes: Changes, secret: SecretBytes? = nil,
    options: RequestOptions = RequestOptions(), context: AuthContext? = nil
  ) throws(KeychainError) -> KeychainError? {
    if changes.store == .secretService { try prepareStore(options, context) }
    var changes = changes
    changes.replacesSecret = secret != nil
    return try expectDone(
      .update(item, changes), secrets: secret.map { [$0] } ?? [], options: options,
      context: context)
  }

  /// Deletes an item. Never prompts.
  public func delete(
    _ item: ItemIdentity, context: AuthContext? = nil
  ) throws(KeychainError) {
    try expectDone(.delete(item), options: RequestOptions(), context: context)
  }

  /// Binds an invalidated item to the prints as they are now. Needs the item's password branch,
  /// never a finger.
  ///
  /// - Returns: as `add`.
  @discardableResult
  public func rearm(
    _ item: ItemIdentity, options: RequestOptions = RequestOptions(),
    context: AuthContext? = nil
  ) throws(KeychainError) -> KeychainError? {
    try expectDone(.rearm(item), options: options, context: context)
  }

  /// Everything about an item except its secret. Never prompts.
  public func show(_ item: ItemIdentity) throws(KeychainError) -> ItemDetail {
    guard case .item(let detail) = try reply(.show(item)) else {
      throw KeychainError(.malformed)
    }
    return detail
  }

  /// All items that match, page by page until the end. Never prompts.
  public func list(_ query: Query = Query()) throws(KeychainError) -> [ItemRow] {
    var query = query
    var rows: [ItemRow] = []
    while true {
      let page = try page(query)
      guard let last = page.last else { return rows }
      rows += page
      query.after = last.row
    }
  }

  /// The first items that match after ``Query/after``, in the order of their rows; none at the end.
  public func page(_ query: Query) throws(KeychainError) -> [ItemRow] {
    guard case .items(let page) = try reply(.list(query)) else { throw KeychainError(.malformed) }
    // A service that does not go forward would keep whoever asks for all in a loop for ever.
    guard page.allSatisfy({ $0.row > query.after }) else { throw KeychainError(.malformed) }
    return page
  }

  /// - Returns: why what was written could not be placed outside.
  @discardableResult
  func expectDone(
    _ operation: Operation, secrets: [SecretBytes] = [], options: RequestOptions,
    context: AuthContext?
  ) throws(KeychainError) -> KeychainError? {
    let answer = try perform(operation, secrets: secrets, options: options, context: context)
    guard answer.reply == .done else { throw KeychainError(.malformed) }
    return answer.placingProblem
  }

  /// The reply to an operation that asks nobody.
  func reply(_ operation: Operation) throws(KeychainError) -> Reply {
    try perform(
      operation, options: RequestOptions(allowsInteraction: false), context: nil
    ).reply
  }
}
