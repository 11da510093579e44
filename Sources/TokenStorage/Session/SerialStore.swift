import Foundation

/// A secure store behind a queue: calls run one after the other, in the order in which they came, on a
/// thread that may wait; who awaits them waits no longer than the limit.
struct SerialStore: Sendable {
  private let store: any SecureStore
  private let limit: Duration
  private let queue = DispatchQueue(label: "TokenStore")

  init(_ store: any SecureStore, limit: Duration) {
    self.store = store
    self.limit = limit
  }

  /// Begins at once, and may end after the limit, where `.timedOut` was the answer.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (any SecureStore) throws -> Value
  ) -> Pending<Value> {
    let pending = Pending<Value>()
    queue.async { [store] in pending.end(Result { try body(store) }) }
    let seconds = Double(limit.components.seconds) + Double(limit.components.attoseconds) / 1e18
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
      pending.end(.failure(TokenStoreError.timedOut))
    }
    return pending
  }

  /// A result to come. The first one counts.
  final class Pending<Value: Sendable>: Sendable {
    private let state = Locked<State>(.waiting([]))

    private enum State {
      case waiting([CheckedContinuation<Value, any Error>])
      case ended(Result<Value, any Error>)
    }

    func end(_ result: Result<Value, any Error>) {
      let waiting = state.withLock { state -> [CheckedContinuation<Value, any Error>] in
        guard case .waiting(let continuations) = state else { return [] }
        state = .ended(result)
        return continuations
      }
      for continuation in waiting { continuation.resume(with: result) }
    }

    var value: Value {
      get async throws {
        try await withCheckedThrowingContinuation { continuation in
          let ended = state.withLock { state -> Result<Value, any Error>? in
            switch state {
            case .waiting(let others):
              state = .waiting(others + [continuation])
              return nil
            case .ended(let result): return result
            }
          }
          if let ended { continuation.resume(with: ended) }
        }
      }
    }
  }
}

/// Why the tokens could not be read or written.
public enum TokenStoreError: LocalizedError, Equatable, Sendable {
  /// The store was silent for too long.
  case timedOut

  public var errorDescription: String? { "The keychain did not answer in time." }
}
