import Systemd

/// How calls and signals fill the directory.
extension SessionDirectory {
  func listSessions() {
    bus.call(
      Self.name, path: Self.root, interface: Self.manager, member: "ListSessions", limit: limit
    ) { [weak self] result in
      // Rows are (id, uid, user, seat, path).
      guard case .success(let reply) = result, let rows = reply.body.first?.elements else {
        self?.askAgain()
        return
      }
      for row in rows { if let path = row.elements?.last?.text { self?.fetch(path) } }
    }
  }

  func listUsers() {
    bus.call(
      Self.name, path: Self.root, interface: Self.manager, member: "ListUsers", limit: limit
    ) { [weak self] result in
      // Rows are (uid, user, path).
      guard case .success(let reply) = result, let rows = reply.body.first?.elements else {
        self?.askAgain()
        return
      }
      for row in rows { if let path = row.elements?.last?.text { self?.fetchUser(path) } }
    }
  }

  func fetch(_ path: String, completion: ((SessionFacts?) -> Void)? = nil) {
    bus.properties(Self.name, path: path, interface: Self.session, limit: limit) {
      [weak self] result in
      guard let self, case .success(let properties) = result else {
        // One that is gone meanwhile is in no list any more.
        self?.askAgain()
        completion?(nil)
        return
      }
      var facts = SessionFacts(properties: properties)
      // A lock seen by signal is not undone by looking.
      let lockedUser = lockedBefore.removeValue(forKey: path)
      facts.wasLocked = sessions[path]?.wasLocked ?? (lockedUser == facts.uid)
      facts.usesHint = facts.lockedHint || sessions[path]?.usesHint ?? false
      sessions[path] = facts
      onChange?()
      completion?(facts)
    }
  }

  func fetchUser(_ path: String) {
    bus.properties(Self.name, path: path, interface: Self.user, limit: limit) {
      [weak self] result in
      guard let self, case .success(let properties) = result,
        let uid = properties["UID"]?.unsigned
      else { return }
      setDisplay(UInt32(clamping: uid), properties["Display"])
      onChange?()
    }
  }

  func added(_ message: BusMessage) {
    if let path = message.body.last?.text { fetch(path) }
    listUsers()
  }

  func removed(_ message: BusMessage) {
    if let path = message.body.last?.text {
      sessions[path] = nil
      lockedBefore[path] = nil
    }
    listUsers()
    onChange?()
  }

  func locked(_ message: BusMessage) {
    guard message.interface == Self.session, let uid = sessions[message.path]?.uid else { return }
    sessions[message.path]?.wasLocked = true
    onLock?(uid)
    onChange?()
  }

  func changed(_ message: BusMessage) {
    guard message.body.count == 3, let interface = message.body[0].text,
      let changes = message.body[1].dictionary
    else { return }
    switch interface {
    case Self.session:
      guard let before = sessions[message.path] else { return fetch(message.path) }
      sessions[message.path]?.apply(changes)
      if !before.isLocked, sessions[message.path]?.isLocked == true { onLock?(before.uid) }
    case Self.user:
      if let display = changes["Display"], let uid = Self.uid(ofUserPath: message.path) {
        setDisplay(uid, display)
      } else {
        fetchUser(message.path)
      }
    default: return
    }
    onChange?()
  }

  private func setDisplay(_ uid: UInt32, _ display: BusValue?) {
    // A structure (id, path), empty when the user has none.
    let path = display?.elements?.last?.text ?? "/"
    displays[uid] = path == "/" ? nil : path
  }

  /// logind names user objects `…/user/_1000`; its mock leaves the underscore out.
  private static func uid(ofUserPath path: String) -> UInt32? {
    guard let last = path.split(separator: "/").last else { return nil }
    return UInt32(last.drop { $0 == "_" })
  }
}
