import Wire

/// The waits after wrong passcodes: prompts tell them, and a prompt that would end before its
/// passcode could be tried is refused instead.
extension PromptDesk {
  private static let second: UInt64 = 1_000_000_000

  /// The end of a prompt that is shown now.
  var latestEnd: UInt64 { clock() + configuration.promptLimit * Self.millisecond }

  /// Tells whoever is about to type how long no passcode is tried.
  func tellWait(_ entry: PromptEntry) {
    guard entry.factors.contains(.devicePasscode) else { return }
    let wait = backoff.wait(entry.request.user, now: clock())
    if wait > 0 { notice(entry, .passcodeNotTried, seconds: wait) }
  }

  /// Fails a request that only a passcode could serve, when none is tried before its prompt ends.
  ///
  /// - Returns: whether it did.
  func refuseIfHopeless(_ entry: PromptEntry) -> Bool {
    let user = entry.request.user
    let wait = backoff.wait(user, now: clock())
    guard wait > 0, entry.needsPasscode, clock() + UInt64(wait) * Self.second >= entry.end else {
      return false
    }
    delegate?.failed(entry.request, waiting(user))
    return true
  }

  /// The prompt ends without the factors it asked for. What was typed in time is still checked, for
  /// as long as a check may take.
  func expire(_ entry: PromptEntry) {
    entry.isOverdue = true
    guard !entry.isChecking, entry.held == nil else { return }
    // Somebody did answer, and was not heard.
    delegate?.failed(
      entry.request, entry.isUntried ? waiting(entry.request.user) : Failure(.timedOut))
  }

  /// Failed by wrong passcodes, with the wait that follows from them.
  func waiting(_ user: UInt32) -> Failure {
    let wait = backoff.wait(user, now: clock())
    let text =
      switch wait {
      case 0: ""
      case 1: "passwords are tried again in 1 second"
      default: "passwords are tried again in \(wait) seconds"
      }
    return Failure(.authenticationFailed, detail: Array(text.utf8))
  }
}
