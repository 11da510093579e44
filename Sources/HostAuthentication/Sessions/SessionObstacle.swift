/// Why the session of a process may not use the reader.
public enum SessionObstacle: Equatable, Sendable {
  /// logind is absent.
  case noSessionService
  case noSession
  /// Not of class user: a greeter, a background session.
  case notOfUser
  case otherUser
  case notActive
  case noSeat
  case remote
  /// Sessions are active on more than one seat, and a reader belongs to none of them.
  case severalSeats
}
