import Systemd

/// Asks polkit's agent of a person's desktop whether the person is there, or is an administrator.
///
/// Of presence: polkit answers two questions at once, whether somebody may and who is there; only the second is
/// wanted. So a first check asks nobody, and anything but a challenge in it was not said by a
/// person; and what the second check would let stand for later is taken back, and refused. Whether somebody
/// may administer is polkit's to say, by whatever rules.
public final class PolkitAuthority {
  private static let name = "org.freedesktop.PolicyKit1"
  private static let path = "/org/freedesktop/PolicyKit1/Authority"
  private static let interface = "org.freedesktop.PolicyKit1.Authority"
  private static let presence = "org.whorl.present"
  /// AllowUserInteraction of CheckAuthorization.
  private static let interactive: UInt32 = 1

  /// Who is to be there, and for what. The texts are shown by agents as they are: only
  /// ``Wire/displayText(_:)`` makes them.
  public struct Question: Equatable, Sendable {
    public let process: Int32
    /// Of the process, in clock ticks since boot, so that its number cannot become another's.
    public let started: UInt64
    public let user: UInt32
    public let program: String
    public let item: String
    /// What the person wants to do as an administrator; nil for presence alone.
    public let administration: String?

    /// - Parameters:
    ///   - item: what the person is to be there for, or whose account an administrator's action is
    ///     about.
    ///   - administration: polkit's name of that action.
    public init(
      process: Int32, started: UInt64, user: UInt32, program: String, item: String,
      administration: String? = nil
    ) {
      self.process = process
      self.started = started
      self.user = user
      self.program = program
      self.item = item
      self.administration = administration
    }
  }

  private let bus: HostBus
  /// Milliseconds for each call that asks nobody.
  private let limit: UInt64
  private let label: String
  private var lastCancellation: UInt64 = 0

  /// - Parameter label: of this one among those on the bus.
  public init(bus: HostBus, label: String = "whorl", limit: UInt64 = 2000) {
    self.bus = bus
    self.label = label
    self.limit = limit
  }

  /// - Parameters:
  ///   - patience: milliseconds for the person; 0 asks nobody.
  ///   - completion: once, on the loop, unless the check was cancelled before.
  public func ask(
    _ question: Question, patience: UInt64, completion: @escaping (PresenceOutcome) -> Void
  ) -> PresenceCheck {
    lastCancellation += 1
    let check = PresenceCheck(
      authority: self, cancellation: "\(label)-\(lastCancellation)", completion: completion)
    owner { [self] owner in
      guard !check.isOver else { return }
      guard let owner else { return check.finish(.nobodyToAsk) }
      check.owner = owner
      call(check, question, flags: 0, limit: limit) { [self] answer in
        switch answer {
        case .challenge where patience == 0: check.finish(.nobodyToAsk)
        case .challenge: interact(check, question, patience)
        case .authorized where question.administration != nil: check.finish(.present)
        case .authorized, .refused: check.finish(.ruled)
        case .failed(let outcome): check.finish(outcome)
        }
      }
    }
    return check
  }

  /// Takes the dialog away.
  func cancel(_ check: PresenceCheck) {
    guard let owner = check.owner else { return }
    bus.call(
      owner, path: Self.path, interface: Self.interface, member: "CancelCheckAuthorization",
      [.string(check.cancellation)], limit: limit
    ) { _ in }
  }

  private func interact(_ check: PresenceCheck, _ question: Question, _ patience: UInt64) {
    call(check, question, flags: Self.interactive, limit: patience) { [self] answer in
      switch answer {
      // Still one, so that there was nobody to give it to.
      case .challenge: check.finish(.nobodyToAsk)
      case .refused(let details):
        check.finish(details["polkit.dismissed"] == nil ? .failed : .dismissed)
      case .authorized where question.administration != nil: check.finish(.present)
      case .authorized(let details): conclude(check, details)
      case .failed(let outcome):
        cancel(check)
        check.finish(outcome)
      }
    }
  }

  /// Newer versions say how they came to their answer. What they keep for later was not given for
  /// this alone.
  private func conclude(_ check: PresenceCheck, _ details: [String: String]) {
    if let kept = details["polkit.temporary_authorization_id"], let owner = check.owner {
      bus.call(
        owner, path: Self.path, interface: Self.interface,
        member: "RevokeTemporaryAuthorizationById", [.string(kept)], limit: limit
      ) { _ in }
      return check.finish(.ruled)
    }
    let result = details["polkit.result"] ?? "auth_self"
    check.finish(result == "auth_self" ? .present : .ruled)
  }

  private enum Answer {
    case authorized([String: String])
    case challenge
    case refused([String: String])
    case failed(PresenceOutcome)
  }

  private func call(
    _ check: PresenceCheck, _ question: Question, flags: UInt32, limit: UInt64,
    _ completion: @escaping (Answer) -> Void
  ) {
    guard let owner = check.owner else { return completion(.failed(.unavailable)) }
    let subject = BusValue.structure([
      .string("unix-process"),
      .properties([
        ("pid", .uint32(UInt32(bitPattern: question.process))),
        ("start-time", .uint64(question.started)),
        ("uid", .int32(Int32(bitPattern: question.user))),
      ]),
    ])
    bus.call(
      owner, path: Self.path, interface: Self.interface, member: "CheckAuthorization",
      [
        subject, .string(question.administration ?? Self.presence),
        .dictionary([("program", question.program), ("item", question.item)]), .uint32(flags),
        .string(flags == Self.interactive ? check.cancellation : ""),
      ], limit: limit
    ) { result in
      guard !check.isOver else { return }
      completion(Self.answer(result))
    }
  }

  private static func answer(_ result: Result<BusMessage, BusError>) -> Answer {
    switch result {
    case .failure(.timedOut), .failure(.disconnected): return .failed(.unavailable)
    // The action is not installed, or the caller is gone.
    case .failure: return .failed(.nobodyToAsk)
    case .success(let reply):
      guard let fields = reply.body.first?.elements, fields.count == 3,
        let isAuthorized = fields[0].bool, let isChallenge = fields[1].bool
      else { return .failed(.unavailable) }
      let details = (fields[2].dictionary ?? [:]).compactMapValues(\.text)
      if isAuthorized { return isChallenge ? .failed(.unavailable) : .authorized(details) }
      return isChallenge ? .challenge : .refused(details)
    }
  }

  /// One owner of the name for the whole of a check.
  private func owner(_ completion: @escaping (String?) -> Void) {
    bus.nameOwner(of: Self.name, limit: limit) { [self] result in
      if let owner = (try? result.get()) ?? nil { return completion(owner) }
      bus.call(
        "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
        member: "StartServiceByName", [.string(Self.name), .uint32(0)], limit: limit
      ) { [self] result in
        guard (try? result.get()) != nil else { return completion(nil) }
        bus.nameOwner(of: Self.name, limit: limit) { completion((try? $0.get()) ?? nil) }
      }
    }
  }
}
