import Linux
import Wire

/// Names and password states of accounts, asked of workers and kept for a while.
public final class AccountDirectory {
  private struct Entry {
    let account: Account
    let expires: UInt64
  }

  /// Accounts kept at most; a host with more active users asks again.
  private static let capacity = 1024
  /// Times that an account is asked for at most while the files change and change again.
  private static let tries = 4

  private let loop: any EventLoop
  private let socket: String
  private let limit: UInt64
  private let lifetime: UInt64
  private let files: [String]
  private var seen: [FileFacts?]
  /// When the files were last looked at.
  private var looked: UInt64 = 0
  private var entries: [UInt32: Entry] = [:]
  private var running: [UInt32: AccountLookup] = [:]
  private var waiting: [UInt32: [(AccountAnswer) -> Void]] = [:]
  private let questions: WorkerQuestions

  /// - Parameters:
  ///   - socket: the worker's.
  ///   - limit: milliseconds for one lookup in all.
  ///   - lifetime: milliseconds an answer is kept.
  ///   - files: a change of any of them drops all that is kept.
  public init(
    loop: any EventLoop, socket: String, limit: UInt64 = 2000, lifetime: UInt64 = 60_000,
    files: [String] = ["/etc/passwd", "/etc/shadow"]
  ) {
    self.loop = loop
    self.socket = socket
    self.limit = limit
    self.lifetime = lifetime
    self.files = files
    questions = WorkerQuestions(loop: loop, socket: socket, limit: limit)
    seen = files.map { FileFacts(path: $0) }
  }

  /// The account if it is kept and fresh; starts no process.
  ///
  /// - Parameter age: milliseconds that the last look at the files may be old.
  public func cached(_ uid: UInt32, age: UInt64 = 0) -> Account? {
    let now = BootClock.milliseconds()
    if age == 0 || now - looked >= age { flushIfChanged() }
    guard let entry = entries[uid], entry.expires > now else { return nil }
    return entry.account
  }

  /// Answers from what is kept or by workers. The completion runs once, never inside this call.
  public func lookup(_ uid: UInt32, completion: @escaping (AccountAnswer) -> Void) {
    if let account = cached(uid) {
      loop.after(milliseconds: 0) { completion(.known(account)) }
      return
    }
    waiting[uid, default: []].append(completion)
    guard running[uid] == nil else { return }
    ask(uid, try: 1)
  }

  private func ask(_ uid: UInt32, try number: Int) {
    let before = seen
    let lookup = AccountLookup(loop: loop, socket: socket, limit: limit, uid: uid) {
      [weak self] answer in self?.finish(uid, answer, seenBefore: before, try: number)
    }
    running[uid] = lookup
    lookup.start()
  }

  /// The account of a name. The completion runs once, never inside this call.
  public func lookup(name: String, completion: @escaping (AccountAnswer) -> Void) {
    flushIfChanged()
    if let entry = entries.values.first(where: { $0.account.name == name }) {
      return lookup(entry.account.uid, of: name, completion)
    }
    questions.ask(.uid(name: name)) { [weak self] reply in
      guard let self, case .uid(let uid) = reply else { return completion(.unavailable) }
      guard let uid else { return completion(.unknown) }
      lookup(uid, of: name, completion)
    }
  }

  /// - Returns: what changes with an account's password and says nothing of it, empty where the
  ///   shadow database has no entry; nil when nobody answered. The completion runs once, later.
  public func passwordMark(of name: String, completion: @escaping ([UInt8]?) -> Void) {
    questions.ask(.passwordMark(name: name)) { reply in
      if case .passwordMark(let mark) = reply { completion(mark) } else { completion(nil) }
    }
  }

  /// A second name of a uid is no account of ours: items belong to the name it leads back to.
  private func lookup(
    _ uid: UInt32, of name: String, _ completion: @escaping (AccountAnswer) -> Void
  ) {
    lookup(uid) { answer in
      if case .known(let account) = answer, account.name != name { return completion(.unknown) }
      completion(answer)
    }
  }

  /// Drops all that is kept.
  public func flush() { entries = [:] }

  private func finish(
    _ uid: UInt32, _ answer: AccountAnswer, seenBefore: [FileFacts?], try number: Int
  ) {
    running[uid] = nil
    flushIfChanged()
    let mayBeOld = seen != seenBefore
    // Some who wait came after the change, and this may be from before it.
    if mayBeOld, answer != .unavailable, number < Self.tries { return ask(uid, try: number + 1) }
    // One that may be old all the same is given but not kept.
    if case .known(let account) = answer, !mayBeOld {
      if entries.count >= Self.capacity { flush() }
      entries[uid] = Entry(account: account, expires: BootClock.milliseconds() + lifetime)
    }
    for completion in waiting.removeValue(forKey: uid) ?? [] { completion(answer) }
  }

  private func flushIfChanged() {
    looked = BootClock.milliseconds()
    let now = files.map { FileFacts(path: $0) }
    if now != seen {
      seen = now
      flush()
    }
  }
}
