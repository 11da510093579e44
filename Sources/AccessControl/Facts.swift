/// What the host says about a subject at one moment: everything a judgement depends on beside
/// the item and the evidence.
public struct Facts: Equatable, Sendable {
  /// The uid that asks.
  public var user: UInt32
  /// Whether the user has an unlocked session.
  public var isUnlocked: Bool
  /// Whether the user had one since boot.
  public var wasUnlockedSinceBoot: Bool
  /// Whether the account has a usable password.
  public var hasPasscode: Bool
  /// What stands in the way of a finger, if anything.
  public var biometryObstacle: BiometryObstacle?
  /// The live generation, if there is one.
  public var generation: GenerationID?

  public init(
    user: UInt32, isUnlocked: Bool, wasUnlockedSinceBoot: Bool, hasPasscode: Bool,
    biometryObstacle: BiometryObstacle? = nil, generation: GenerationID? = nil
  ) {
    self.user = user
    self.isUnlocked = isUnlocked
    self.wasUnlockedSinceBoot = wasUnlockedSinceBoot
    self.hasPasscode = hasPasscode
    self.biometryObstacle = biometryObstacle
    self.generation = generation
  }
}
