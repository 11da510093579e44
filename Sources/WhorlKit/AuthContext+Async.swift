import AccessControl
import Linux
import SecretMemory
import WhorlClient
import Wire

// Each call runs its blocking form on a thread of its own, and ends early when the task is
// cancelled. No thread of the pool waits.

extension AuthContext {
  /// Runs `body` on a thread of its own; cancelling the task ends the request it makes with the
  /// options it gets.
  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable (RequestOptions) throws(KeychainError) -> Result
  ) async throws(KeychainError) -> Result {
    let cancel: CancelEvent
    do { cancel = try CancelEvent() } catch { throw KeychainError(.exhausted) }
    let result: Swift.Result<Result, KeychainError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        do {
          try DetachedThread.run {
            do throws(KeychainError) {
              var options = RequestOptions()
              options.cancel = cancel
              continuation.resume(returning: .success(try body(options)))
            } catch { continuation.resume(returning: .failure(error)) }
          }
        } catch { continuation.resume(returning: .failure(KeychainError(.exhausted))) }
      }
    } onCancel: {
      cancel.fire()
    }
    return try result.get()
  }

  /// As `Keychain.read`.
  public func read(_ items: [ItemIdentity]) async throws(KeychainError) -> [SecretBytes] {
    try await onThread { options throws(KeychainError) in
      try self.keychain.read(items, options: options, context: self)
    }
  }

  /// As `Keychain.read`.
  public func read(_ item: ItemIdentity) async throws(KeychainError) -> SecretBytes {
    try await read([item])[0]
  }

  /// As `Keychain.update`.
  @discardableResult
  public func update(
    _ item: ItemIdentity, _ changes: Changes, secret: SecretBytes? = nil
  ) async throws(KeychainError) -> KeychainError? {
    try await onThread { options throws(KeychainError) in
      try self.keychain.update(item, changes, secret: secret, options: options, context: self)
    }
  }

  /// As `Keychain.add`.
  @discardableResult
  public func add(
    _ item: NewItem, secret: SecretBytes
  ) async throws(KeychainError) -> KeychainError? {
    try await onThread { options throws(KeychainError) in
      try self.keychain.add(item, secret: secret, options: options, context: self)
    }
  }

  /// As `Keychain.rearm`.
  @discardableResult
  public func rearm(_ item: ItemIdentity) async throws(KeychainError) -> KeychainError? {
    try await onThread { options throws(KeychainError) in
      try self.keychain.rearm(item, options: options, context: self)
    }
  }

  /// As the blocking form.
  public func evaluate(_ control: AccessControl) async throws(KeychainError) {
    try await onThread { options throws(KeychainError) in
      try self.keychain.evaluate(control, options: options, context: self)
    }
  }
}
