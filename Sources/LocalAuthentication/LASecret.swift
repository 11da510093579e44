/// What was saved with a right.
public final class LASecret: NSObject, Sendable {
  private let right: LAPersistedRight

  init(_ right: LAPersistedRight) {
    self.right = right
  }

  /// The bytes. Asks nobody: the right must be authorized.
  ///
  /// - Throws: `LAError.notInteractive` while it is not, `errSecItemNotFound` when it was saved
  ///   without a secret.
  public var rawData: Data {
    get async throws { try await Waiting.run { try self.right.read() } }
  }

  /// As ``rawData``.
  public func loadData(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    Waiting.run({ try self.right.read() }, completion: completion)
  }
}
