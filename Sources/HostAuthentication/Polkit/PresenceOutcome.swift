/// What polkit said of a person who was to show presence, or to be an administrator. Everything but
/// `present` is a refusal.
public enum PresenceOutcome: Equatable, Sendable {
  /// The person authenticated to the agent, just now and for this alone; of an administrator also
  /// that polkit's rules ask nobody.
  case present
  /// The person tried, and was not the one.
  case failed
  /// The person sent the dialog away.
  case dismissed
  /// There is no agent to ask, no polkit, or no such action installed.
  case nobodyToAsk
  /// A rule or a kept authorization answered in the person's place, or a rule said no; of an
  /// administrator the last alone.
  case ruled
  /// polkit did not answer in time, or went away.
  case unavailable
}
