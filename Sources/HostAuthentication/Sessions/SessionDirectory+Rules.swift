import Systemd

/// The rules that decide which session stands for a process and what it may do.
extension SessionDirectory {
  /// The session of a process: logind's by pid; else, for a process of the user's own service
  /// manager, the user's display session; else none.
  /// - Parameter controlGroup: the path in the process's `/proc/PID/cgroup`.
  public func session(
    ofProcess pid: Int32, uid: UInt32, controlGroup: String,
    completion: @escaping (SessionAnswer) -> Void
  ) {
    bus.call(
      Self.name, path: Self.root, interface: Self.manager, member: "GetSessionByPID",
      [.uint32(UInt32(bitPattern: pid))], limit: limit
    ) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let reply):
        guard let path = reply.body.first?.text else { return completion(.absent) }
        if let facts = sessions[path] { return completion(.session(facts)) }
        fetch(path) { completion($0.map { .session($0) } ?? .absent) }
      case .failure(.remote(Self.name + ".NoSessionForPID", _)):
        guard Self.isUnderUserManager(controlGroup, of: uid), let path = displays[uid],
          let facts = sessions[path], facts.uid == uid
        else { return completion(.none) }
        completion(.session(facts))
      case .failure: completion(.absent)
      }
    }
  }

  /// What keeps the session from the reader; `nil` when nothing does.
  public func biometryObstacle(_ answer: SessionAnswer, uid: UInt32) -> SessionObstacle? {
    switch answer {
    case .absent: return .noSessionService
    case .none: return .noSession
    case .session(let facts):
      guard facts.isLive else { return .notOfUser }
      guard facts.uid == uid else { return .otherUser }
      guard !facts.isRemote else { return .remote }
      guard !facts.seat.isEmpty else { return .noSeat }
      guard facts.isActive else { return .notActive }
      let seats = Set(sessions.values.filter { $0.isActive && !$0.seat.isEmpty }.map(\.seat))
      return seats.count > 1 ? .severalSeats : nil
    }
  }

  /// What keeps a login of a user from the reader, when root says that there is one; `nil` when
  /// nothing does. At the reader is whoever is before the seat's greeter or lock screen, in the own
  /// session, or at the console that is shown.
  /// - Parameter answer: the session of the login program.
  public func loginObstacle(
    _ answer: SessionAnswer, uid: UInt32, isOnActiveTerminal: Bool
  ) -> SessionObstacle? {
    if case .session(let own) = answer {
      guard !own.isRemote else { return .remote }
      // A program within somebody's session, such as sudo, is where that session is.
      if own.isLive {
        guard !own.seat.isEmpty else { return .noSeat }
        guard own.isActive else { return .notActive }
      }
    }
    let active = sessions.values.filter { $0.isActive && !$0.seat.isEmpty }
    guard Set(active.map(\.seat)).count < 2 else { return .severalSeats }
    if isOnActiveTerminal { return nil }
    guard isPresent else { return .noSessionService }
    let isThere = active.contains { session in
      session.isGreeter || (session.isLive && session.uid == uid)
    }
    return isThere ? nil : active.isEmpty ? .noSession : .otherUser
  }

  /// Whether a live session of the user is unlocked. A user with no session at all is locked,
  /// unless the account has no usable password to unlock with.
  public func isUnlocked(_ uid: UInt32, hasUsablePassword: Bool) -> Bool {
    let own = sessions.values.filter { $0.uid == uid && $0.isLive }
    guard !own.isEmpty else { return !hasUsablePassword }
    return own.contains { !$0.isLocked }
  }

  /// Whether a session of the user was locked by signal and has a locker that never says so: nothing
  /// but a login will tell that it was unlocked.
  public func lacksLockHint(_ uid: UInt32) -> Bool {
    sessions.values.contains { $0.uid == uid && $0.isLive && $0.wasLocked && !$0.usesHint }
  }

  static func isUnderUserManager(_ controlGroup: String, of uid: UInt32) -> Bool {
    controlGroup.split(separator: "/").contains("user@\(uid).service")
  }
}
