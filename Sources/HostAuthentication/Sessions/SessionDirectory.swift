import Systemd

/// Sessions as logind's signals tell them, so that no read waits for logind.
public final class SessionDirectory {
  static let name = "org.freedesktop.login1"
  static let root = "/org/freedesktop/login1"
  static let manager = "org.freedesktop.login1.Manager"
  static let session = "org.freedesktop.login1.Session"
  static let user = "org.freedesktop.login1.User"

  /// Milliseconds until logind is asked again for what it did not answer.
  private static let retryDelay: UInt64 = 1000

  let bus: HostBus
  let limit: UInt64
  private let loop: any EventLoop
  private var willAskAgain = false
  /// By object path.
  var sessions: [String: SessionFacts] = [:]
  /// The users of sessions that were locked when logind went away: its coming back is no unlock.
  var lockedBefore: [String: UInt32] = [:]
  /// The session path that stands for a uid: what logind calls its display.
  var displays: [UInt32: String] = [:]
  /// The unique name behind logind's.
  private var owner: String?
  private(set) var slots: [BusSlot] = []
  private let sleep: SleepInhibitor

  public var isPresent: Bool { owner != nil }

  /// Called after any change of a session, a display or logind's presence.
  public var onChange: (() -> Void)?
  /// Called when a user's live sessions became locked, or may become so unheard.
  public var onLock: ((UInt32) -> Void)?

  /// - Parameter limit: milliseconds for each call.
  public init(loop: any EventLoop, bus: HostBus, limit: UInt64 = 2000) {
    self.loop = loop
    self.bus = bus
    self.limit = limit
    sleep = SleepInhibitor(loop: loop, bus: bus, limit: limit)
    bus.onConnect { [weak self] _ in self?.connect() }
    bus.onDisconnect { [weak self] in self?.clear() }
  }

  /// Called before the machine sleeps; the sleep is held until the given closure is called, at
  /// most as long as logind allows.
  public var willSleep: ((_ done: @escaping () -> Void) -> Void)? {
    get { sleep.willSleep }
    set { sleep.willSleep = newValue }
  }

  /// Between the announcement of a sleep and the end of it.
  public var isSleeping: Bool { sleep.isSleeping }

  public var all: [SessionFacts] { Array(sessions.values) }

  /// Marks every session of a user as locked, until the user logs in or a desktop says that it
  /// unlocked. That a program asked logind for an unlock says neither.
  public func lock(_ uid: UInt32) {
    for path in sessions.keys where sessions[path]?.uid == uid {
      sessions[path]?.wasLocked = true
    }
    onLock?(uid)
    onChange?()
  }

  /// The user logged in, as root says: what was locked before is unlocked, as far as no desktop
  /// says otherwise.
  public func loggedIn(_ uid: UInt32) {
    for path in sessions.keys where sessions[path]?.uid == uid {
      sessions[path]?.wasLocked = false
    }
    lockedBefore = lockedBefore.filter { $0.value != uid }
    onChange?()
  }

  /// Asks logind for everything again.
  public func refresh() {
    bus.nameOwner(of: Self.name, limit: limit) { [weak self] result in
      guard let self else { return }
      guard case .success(let owner?) = result else {
        if case .failure = result { askAgain() }
        return clear()
      }
      self.owner = owner
      sleep.take()
      listSessions()
      listUsers()
      onChange?()
    }
  }

  /// What was not answered is not known, which refuses; a logind that was busy for a while must
  /// not refuse for good.
  func askAgain() {
    guard !willAskAgain else { return }
    willAskAgain = true
    loop.after(milliseconds: Self.retryDelay) { [weak self] in
      self?.willAskAgain = false
      self?.refresh()
    }
  }

  private func connect() {
    slots = []
    let rules: [(String, (BusMessage) -> Void)] = [
      (rule("SessionNew"), { [weak self] in self?.added($0) }),
      (rule("SessionRemoved"), { [weak self] in self?.removed($0) }),
      (rule("PrepareForSleep"), { [weak self] in self?.sleep.prepare($0) }),
      (rule("Lock"), { [weak self] in self?.locked($0) }),
      (rule("PropertiesChanged"), { [weak self] in self?.changed($0) }),
    ]
    slots = rules.compactMap { rule, handler in
      bus.subscribe(rule) { [weak self] message in
        // Anyone may send us a signal of this shape directly, past every match rule.
        if let owner = self?.owner, message.sender == owner { handler(message) }
      }
    }
    if let slot = bus.watchOwner(
      of: Self.name,
      { [weak self] owner in
        self?.clear()
        if owner != nil { self?.refresh() }
      })
    {
      slots.append(slot)
    }
    refresh()
  }

  private func rule(_ member: String) -> String {
    "type='signal',sender='\(Self.name)',path_namespace='\(Self.root)',member='\(member)'"
  }

  private func clear() {
    owner = nil
    for (path, session) in sessions where session.wasLocked { lockedBefore[path] = session.uid }
    // Whoever locks from here on is not heard.
    for user in Set(sessions.values.map(\.uid)) { onLock?(user) }
    sessions = [:]
    displays = [:]
    sleep.forget()
    onChange?()
  }
}
