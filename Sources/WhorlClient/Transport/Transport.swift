import Wire

/// The way to the service. One for the process is in ``Keychain/shared``; tests put an in-process
/// one there.
public protocol Transport: Sendable {
  /// A new connection, on which nothing was said yet.
  func connect() throws(KeychainError) -> any Connection
}

/// One connection to the service. Used by one thread at a time, except ``close()``.
public protocol Connection: AnyObject, Sendable {
  /// Whether the service still holds its end, as far as can be told without waiting.
  var isOpen: Bool { get }

  /// Sends the frames in order. Messages that follow each other go out together.
  func send(_ frames: [Frame]) throws(KeychainError)

  /// Waits for the next frame, for one of the descriptors to become readable, or for the time.
  ///
  /// A frame that is there already comes before everything else.
  /// - Parameter deadline: milliseconds of the steady clock.
  func receive(watching descriptors: [Int32], until deadline: Int64) throws(KeychainError)
    -> Arrival

  /// Ends the connection, also for a thread that waits in ``receive(watching:until:)``.
  func close()
}

/// What a wait ended with.
public enum Arrival: Sendable {
  case frame(Frame)
  case readable(Int32)
  case timedOut
}
