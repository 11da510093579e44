import AccessControl
import HostAuthentication
import Linux
import SecretMemory
import Vault
import Wire

/// The checks that run for the head of a queue.
extension PromptDesk {
  static let millisecond: UInt64 = 1_000_000
  /// A match so soon after arming, and so soon after the last match, is a finger that never left
  /// the reader.
  private static let restingAfterArming = 250 * millisecond
  private static let restingAfterMatch = 3_000 * millisecond

  /// Arms the reader, not before the delay after the last verify has passed.
  func arm(_ entry: PromptEntry) {
    // What was sent to its client just now may have shown that it is gone.
    guard isHead(entry), entry.stage == .shown else { return }
    let now = clock()
    let ready = lastVerifyEnd + configuration.rearmDelay * Self.millisecond
    if lastVerifyEnd > 0, now < ready {
      let delay = (ready - now) / Self.millisecond + 1
      entry.timers.append(
        loop.after(milliseconds: delay) { [weak self] in
          self?.arm(entry)
        })
      return
    }
    guard !isStopped(entry) else { return }
    entry.armedAt = now
    entry.finger = authenticators.verifyFinger(
      of: entry.request.subject, origin: entry.request.origin,
      onEvent: { [weak self] event in self?.fingerMoved(entry, event) },
      { [weak self] outcome in self?.fingerEnded(entry, outcome) })
  }

  /// Whether the client shows nothing any more, whatever it said before.
  func isStopped(_ entry: PromptEntry) -> Bool {
    let subject = entry.request.subject
    return ProcessFacts.isStopped(subject.process, of: subject.user)
  }

  private func fingerMoved(_ entry: PromptEntry, _ event: FingerEvent) {
    guard entry.finger != nil else { return }
    switch event {
    case .armed:
      entry.armedAt = clock()
      entry.request.connection.send(.armed(prompt: entry.prompt))
    case .notice(let kind):
      if kind == .noMatch { delegate?.refused(entry.request, .biometry) }
      notice(entry, kind)
    }
  }

  func endFinger(_ entry: PromptEntry) {
    guard let finger = entry.finger else { return }
    finger.cancel()
    entry.finger = nil
    lastVerifyEnd = clock()
  }

  private func fingerEnded(_ entry: PromptEntry, _ outcome: CheckOutcome) {
    guard entry.finger != nil else { return }
    let now = clock()
    entry.finger = nil
    lastVerifyEnd = now
    switch outcome {
    case .verified:
      let isResting =
        now - entry.armedAt < Self.restingAfterArming
        && lastMatch > 0 && now - lastMatch < Self.restingAfterMatch
      lastMatch = now
      guard isHead(entry), entry.stage == .shown else { return }
      if isResting {
        notice(entry, .liftFirst)
        arm(entry)
      } else if isStopped(entry) {
        delegate?.failed(entry.request, Failure(.timedOut))
      } else {
        entry.wonPrompt = entry.prompt
        delegate?.verified(entry.request, .biometry)
      }
    case .refused: endBiometry(entry, Failure(.authenticationFailed))
    case .timedOut: endBiometry(entry, Failure(.timedOut))
    case .unavailable(let failure): endBiometry(entry, failure)
    }
  }

  /// Goes on with the other factors, or fails when a finger was the only one.
  private func endBiometry(_ entry: PromptEntry, _ failure: Failure) {
    entry.biometryEnded = true
    if !entry.canGoWithoutBiometry {
      delegate?.failed(entry.request, failure)
    } else if !refuseIfHopeless(entry) {
      notice(entry, .biometryEnded)
    }
  }

  /// Checks a passcode: one transaction for each user at a time, and none while the user has to
  /// wait.
  func check(_ entry: PromptEntry, _ passcode: SecretBytes) {
    let user = entry.request.user
    guard passcodes[user] == nil else {
      // Of an earlier prompt, or of this one: the latest that was typed is next.
      entry.held = passcode
      return
    }
    let wait = backoff.wait(user, now: clock())
    entry.isUntried = wait > 0
    guard !entry.isUntried else {
      return entry.isOverdue
        ? expire(entry) : notice(entry, .passcodeNotTried, seconds: wait)
    }
    entry.isChecking = true
    let prompt = entry.prompt
    passcodes[user] = authenticators.verifyPasscode(
      of: entry.request.subject, passcode
    ) { [weak self] outcome in
      guard let self else { return }
      passcodes[user] = nil
      defer { checkHeld(user) }
      // When a touch won meanwhile the result counts neither way. A client that went away does
      // not get its guess for free.
      guard entry.wonPrompt != prompt else { return }
      if outcome == .refused {
        backoff.fail(user, now: clock())
        delegate?.refused(entry.request, .devicePasscode)
      }
      guard self.entry(of: entry.request) === entry, entry.prompt == prompt else { return }
      entry.isChecking = false
      passcodeEnded(entry, outcome)
    }
  }

  /// The check that others waited for is over.
  private func checkHeld(_ user: UInt32) {
    guard let entry = head(user), entry.stage == .shown, let passcode = entry.held else { return }
    entry.held = nil
    check(entry, passcode)
  }

  private func passcodeEnded(_ entry: PromptEntry, _ outcome: CheckOutcome) {
    let user = entry.request.user
    switch outcome {
    case .verified:
      backoff.succeed(user)
      delegate?.verified(entry.request, .devicePasscode)
    case .refused:
      entry.passcodeTries += 1
      if entry.passcodeTries >= Int(PasscodeBackoff.freeTries) || entry.isOverdue {
        delegate?.failed(entry.request, waiting(user))
      } else if !refuseIfHopeless(entry) {
        notice(entry, .wrongPasscode, seconds: backoff.wait(user, now: clock()))
      }
    case .timedOut: delegate?.failed(entry.request, Failure(.timedOut))
    case .unavailable(let failure): delegate?.failed(entry.request, failure)
    }
  }

  func notice(_ entry: PromptEntry, _ kind: Notice.Kind, seconds: UInt32 = 0) {
    entry.request.connection.send(
      .notice(prompt: entry.prompt, Notice(kind, seconds: seconds)))
  }
}
