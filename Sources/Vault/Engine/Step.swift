import AccessControl
import SecretMemory
import Wire

/// What the engine answers to `begin` and `resume`: an end, or the next thing it needs. The engine
/// never waits; whoever drives it comes back with what was asked, or drops the operation.
public enum Step {
  case done(Outcome)
  case failed(Failure)
  /// A person must give evidence; each set of factors is sufficient. For `canEvaluate` nobody is
  /// asked: whoever drives the engine only looks whether the factors can be asked for.
  case gather(Gathering, PendingOperation)
  /// The application password given must be stretched with each of these salts.
  case derive(salts: [[UInt8]], PendingOperation)
  /// The client must bring these forms from the store outside. Nobody was asked for this yet.
  case fetch([SealedForm], PendingOperation)
}

/// What a finished request releases and what the record says of it.
public struct Outcome {
  public let reply: Reply
  /// The secrets that go before the reply, in order.
  public let secrets: [SecretBytes]
  /// The factors that evidence was used of.
  public let factors: [Factor]
  /// Whether it did what the record tells of; false for what was done before.
  public internal(set) var isRecorded = true
  /// Items whose new form the client is to place outside.
  public internal(set) var unplaced: [ItemIdentity] = []
  /// Ids that nothing belongs to any more.
  public internal(set) var surplus: [[UInt8]] = []

  init(_ reply: Reply, secrets: [SecretBytes] = [], factors: [Factor] = []) {
    self.reply = reply
    self.secrets = secrets
    self.factors = factors
  }
}

/// What to ask a person for.
public struct Gathering: Equatable, Sendable {
  /// Sufficient sets of factors, none empty and none within another.
  public let alternatives: [[Factor]]
  /// The names of the items that one act releases.
  public let items: [[UInt8]]
  /// Seconds for which the act will serve again, as the prompt says.
  public let reuse: UInt32
  /// Whether presence is enough, however it is shown.
  public let acceptsPresence: Bool

  init(
    alternatives: [[Factor]], items: [[UInt8]], reuse: UInt32, acceptsPresence: Bool = false
  ) {
    self.acceptsPresence = acceptsPresence
    let sets = alternatives.map(Set.init)
    self.alternatives = zip(alternatives, sets).filter { _, own in
      !sets.contains { $0.isStrictSubset(of: own) }
    }.map(\.0)
    self.items = items
    self.reuse = reuse
  }

  /// The factors that bring a sufficient set nearer, all live together. An application password
  /// is asked for last and alone, so that what is typed is never taken for the other password.
  public var factors: [Factor] {
    let needed = Factor.allCases.filter { factor in
      alternatives.contains { $0.contains(factor) }
    }
    let others = needed.filter { $0 != .applicationPassword }
    return others.isEmpty ? needed : others
  }
}

/// What comes back to the engine for a pending operation.
public enum Input {
  /// An authenticator verified this factor of the subject's user, just now.
  case verified(Factor)
  /// An application password was given.
  case applicationPassword
  /// The stretched application password, one key for each salt.
  case derived([SecretBytes])
  /// Something that was judged may have changed.
  case changed
  /// A factor cannot be asked for; other branches may remain.
  case obstacle(BiometryObstacle)
  /// The forms that were asked for, in order.
  case forms([[UInt8]])
}
