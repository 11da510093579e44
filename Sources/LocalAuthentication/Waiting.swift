/// Calls that may wait for a person run on a thread of their own, in both forms that clients know.
enum Waiting {
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value,
    completion: @escaping @Sendable (Value?, (any Error)?) -> Void
  ) {
    Thread.detachNewThread {
      do { completion(try body(), nil) } catch { completion(nil, error) }
    }
  }

  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
    }
  }
}
