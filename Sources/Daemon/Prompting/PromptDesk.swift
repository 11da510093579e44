import AccessControl
import Crypto
import HostAuthentication
import Linux
import SecretMemory
import Vault
import Wire

/// What the desk tells the runner about a request that waits for a person.
protocol PromptDeskDelegate: AnyObject {
  /// An authenticator verified a factor for the request.
  func verified(_ request: RunningRequest, _ factor: Factor)
  func gave(_ request: RunningRequest, applicationPassword: SecretBytes)
  /// A factor was given for the request and is wrong. The request may go on all the same.
  func refused(_ request: RunningRequest, _ factor: Factor)
  /// Nobody is asked for the request any more.
  func failed(_ request: RunningRequest, _ failure: Failure)
}

/// The queue of prompts, first come, first served for each user: one act of the person serves the
/// request that is shown, and no other.
///
/// Only a head whose client said that it shows the prompt is armed. A head that does not say so, is
/// stopped, or is not answered is dropped, and those behind hear of it.
final class PromptDesk {
  weak var delegate: (any PromptDeskDelegate)?
  let loop: any EventLoop
  let authenticators: any Authenticators
  let backoff: PasscodeBackoff
  let clock: () -> UInt64
  var configuration: Configuration
  private var queues: [UInt32: [PromptEntry]] = [:]
  /// One passcode transaction for each user at a time; one that began is always finished.
  var passcodes: [UInt32: any Attempt] = [:]
  /// When the reader was last let go: CLOCK_BOOTTIME, nanoseconds; 0 for never.
  var lastVerifyEnd: UInt64 = 0
  var lastMatch: UInt64 = 0

  init(
    loop: any EventLoop, authenticators: any Authenticators, backoff: PasscodeBackoff,
    configuration: Configuration, clock: @escaping () -> UInt64
  ) {
    self.loop = loop
    self.authenticators = authenticators
    self.backoff = backoff
    self.configuration = configuration
    self.clock = clock
  }

  /// Puts a request in its user's queue, or goes on with the prompt it already has at the head.
  ///
  /// - Returns: false when the queue is full.
  func enqueue(_ request: RunningRequest, _ gathering: Gathering) -> Bool {
    if let entry = entry(of: request) {
      let asked = entry.factors
      entry.gathering = gathering
      guard entry.stage != .queued else { return true }
      // Asked for again, it was wrong.
      if request.gaveApplicationPassword, asked == [.applicationPassword], entry.factors == asked {
        delegate?.refused(request, .applicationPassword)
        notice(entry, .wrongApplicationPassword)
      }
      request.gaveApplicationPassword = false
      show(entry)
      return true
    }
    let queue = queues[request.user, default: []]
    guard queue.count < configuration.promptsPerUser else { return false }
    let entry = PromptEntry(request, gathering)
    queues[request.user, default: []].append(entry)
    if queue.isEmpty { show(entry) } else { tellQueued(entry, behind: queue[0]) }
    return true
  }

  /// The request is over, however it ended: ends its checks and lets the next one to the head.
  func remove(_ request: RunningRequest) {
    guard let entry = entry(of: request) else { return }
    let wasHead = queues[request.user]?.first === entry
    queues[request.user]?.removeAll { $0 === entry }
    stop(entry)
    guard wasHead else { return }
    advance(request.user)
  }

  /// The client shows the prompt.
  ///
  /// - Parameter isTouchless: whether it asks for no touch, of which then none serves the request.
  func shown(_ request: RunningRequest, _ prompt: UInt32, isTouchless: Bool) {
    guard let entry = entry(of: request), entry.prompt == prompt, entry.stage == .showing else {
      return
    }
    entry.stage = .shown
    cancelTimers(entry)
    entry.end = latestEnd
    entry.timers.append(
      loop.after(milliseconds: configuration.promptLimit) { [weak self] in self?.expire(entry) })
    watchForStop(entry)
    if isTouchless, entry.factors.contains(.biometry) {
      entry.biometryEnded = true
      guard entry.canGoWithoutBiometry else {
        delegate?.failed(request, Failure(.interactionNotAllowed))
        return
      }
      if refuseIfHopeless(entry) { return }
    }
    tellWait(entry)
    if entry.factors.contains(.biometry) { arm(entry) }
  }

  func answer(_ request: RunningRequest, _ prompt: UInt32, _ factor: Factor, _ secret: SecretBytes)
  {
    guard let entry = entry(of: request), entry.prompt == prompt, entry.stage == .shown,
      entry.factors.contains(factor)
    else { return }
    switch factor {
    case .biometry, .presence: break
    case .devicePasscode: check(entry, secret)
    case .applicationPassword: delegate?.gave(request, applicationPassword: secret)
    }
  }

  /// Ends every prompt with the same failure: the host is about to suspend.
  func endAll(_ failure: Failure) {
    for entry in entries {
      delegate?.failed(entry.request, failure)
    }
  }

  /// Ends the prompts of one user: nobody can see them.
  func endAll(of user: UInt32, _ failure: Failure) {
    for entry in queues[user] ?? [] { delegate?.failed(entry.request, failure) }
  }

  /// All requests that wait, with their prompts shown or behind others.
  var entries: [PromptEntry] { queues.values.flatMap { $0 } }

  func entry(of request: RunningRequest) -> PromptEntry? {
    queues[request.user]?.first { $0.request === request }
  }

  func isHead(_ entry: PromptEntry) -> Bool {
    head(entry.request.user) === entry
  }

  func head(_ user: UInt32) -> PromptEntry? { queues[user]?.first }

  /// Shows the head's prompt, with a number of its own: an answer to an older one is void. The
  /// number is random, so that only who received the prompt can acknowledge it, and nobody learns
  /// from it how often others are asked.
  private func show(_ entry: PromptEntry) {
    stop(entry)
    entry.end = latestEnd
    guard !refuseIfHopeless(entry) else { return }
    entry.isUntried = false
    entry.held = nil
    entry.isChecking = false
    entry.isOverdue = false
    entry.prompt = Self.number(after: entry.prompt)
    entry.stage = .showing
    entry.request.connection.send(.show(entry.message))
    // Sending may have shown that its client is gone.
    guard isHead(entry) else { return }
    entry.timers.append(
      loop.after(milliseconds: configuration.shownLimit) { [weak self] in
        self?.drop(entry)
      })
  }

  /// Never 0, which stands for no prompt.
  private static func number(after last: UInt32) -> UInt32 {
    while true {
      let number = Random.bytes(4).reduce(0) { $0 << 8 | UInt32($1) }
      if number != 0, number != last { return number }
    }
  }

  /// A head that nobody sees must not hold the reader.
  private func drop(_ entry: PromptEntry) {
    let behind = queues[entry.request.user]?.dropFirst() ?? []
    for waiting in behind {
      waiting.request.connection.send(.notice(prompt: 0, Notice(.hiddenHeadDropped)))
    }
    delegate?.failed(entry.request, Failure(.timedOut))
  }

  private func advance(_ user: UInt32) {
    guard let queue = queues[user], let head = queue.first else {
      queues[user] = nil
      return
    }
    show(head)
    guard isHead(head) else { return }
    for entry in queue.dropFirst() { tellQueued(entry, behind: head) }
  }

  private func tellQueued(_ entry: PromptEntry, behind head: PromptEntry) {
    entry.request.connection.send(
      .queued(program: head.request.program, item: head.headline))
  }

  private func watchForStop(_ entry: PromptEntry) {
    entry.timers.append(
      loop.after(milliseconds: 500) { [weak self] in
        guard let self else { return }
        if isStopped(entry) {
          drop(entry)
        } else {
          watchForStop(entry)
        }
      })
  }

  private func stop(_ entry: PromptEntry) {
    cancelTimers(entry)
    endFinger(entry)
  }

  private func cancelTimers(_ entry: PromptEntry) {
    for timer in entry.timers { loop.cancel(timer) }
    entry.timers = []
  }
}
