import Foundation

/// A value behind a lock that ThreadSanitizer sees: it knows pthread's mutexes, which NSLock is, and
/// not the contended path of `Synchronization.Mutex`, so that it would report what is guarded.
package final class Locked<Value>: @unchecked Sendable {
  // Unchecked: the value is touched under the lock alone.
  private var value: Value
  private let lock = NSLock()

  package init(_ value: sending Value) {
    self.value = value
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }
}
