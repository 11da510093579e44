/// The record that an authenticator verified a factor.
///
/// Evidence is made by an auth context alone. It says what was proven; which requests it may
/// serve is its scope, kept by the context.
public struct Evidence: Equatable, Sendable {
  /// The uid the authenticator verified.
  public let user: UInt32
  public let factor: Factor
  /// When it was verified: nanoseconds of CLOCK_BOOTTIME, which goes on during suspend.
  public let time: UInt64
  /// For biometry, the generation that was live when the finger matched, if any.
  public let generation: GenerationID?

  public init(user: UInt32, factor: Factor, time: UInt64, generation: GenerationID? = nil) {
    self.user = user
    self.factor = factor
    self.time = time
    self.generation = generation
  }
}
