/// How far a PAM transaction came.
public enum WorkerStage: UInt8, Sendable, CaseIterable {
  case start = 1
  case authenticate = 2
  case account = 3
  /// The modules ended with another user than the one asked for.
  case userChanged = 4
  case finished = 5
}
