extension LAContext {
  /// As the form with a reply. Cancelling the task does not end it; ``invalidate()`` does.
  @discardableResult
  public func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluatePolicy(policy, localizedReason: localizedReason) { isSatisfied, error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(isSatisfied))
      }
    }
  }

  /// As the form with a reply.
  @discardableResult
  public func evaluateAccessControl(
    _ accessControl: SecAccessControl, operation: LAAccessControlOperation, localizedReason: String
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluateAccessControl(
        accessControl, operation: operation, localizedReason: localizedReason
      ) { isSatisfied, error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(isSatisfied))
      }
    }
  }
}
