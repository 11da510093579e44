import AccessControl
import SecretMemory
import Wire

// Switching the login secret on: whoever does it decides that a finger is to open what the password
// opened, so the password is asked for, just then and for nothing else.
extension Vault {
  /// What the person is asked for, since the name of the thing would not say it.
  private static let whatIsEnabled = Array("a finger opens your login keyring from now on".utf8)

  /// Begins to ask for a login secret to be kept, from the next login on.
  public func beginLoginKeyring(
    _ request: Request, by caller: PendingOperation.Caller
  ) -> Step {
    do throws(EngineError) {
      return try enableLoginKeyring(PendingOperation(request: request, caller: caller))
    } catch { return .failed(error.failure) }
  }

  func enableLoginKeyring(_ pending: PendingOperation) throws(EngineError) -> Step {
    guard case .loginKeyring(.enable) = pending.request.operation else {
      throw .failure(Failure(.internalError))
    }
    guard host.facts(for: pending.caller.subject).hasPasscode else {
      throw .failure(Failure(.passcodeNotSet))
    }
    // What was proven for another request does not count.
    guard pending.evidence.contains(where: { $0.factor == .devicePasscode }) else {
      guard pending.request.allowsInteraction else {
        throw .failure(Failure(.interactionNotAllowed))
      }
      return .gather(
        Gathering(
          alternatives: [[.devicePasscode]], items: [Self.whatIsEnabled], reuse: 0),
        pending)
    }
    guard host.isUnchanged(pending.caller) else {
      throw .failure(Failure(.changedMeanwhile, detail: Array("the asking program".utf8)))
    }
    if !wantsLoginSecret(pending.owner) {
      let nothing: SecretBytes
      do { nothing = try SecretBytes(count: 1) } catch { throw .vault(.exhausted) }
      try keep(nothing, pending.owner, flags: [], mark: [])
    }
    return .done(Outcome(.loginKeyring(.waiting), factors: [.devicePasscode]))
  }
}
