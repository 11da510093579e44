import AccessControl
import SecretMemory
import Vault
import Wire

/// The person's acts, taken from the script while a prompt is shown.
extension InProcessSession {
  enum Played {
    case played
    case meanwhile(() -> Void)
    /// No request waits for a person.
    case nothing
  }

  /// Seconds for which a prompt that is shown is answered.
  private static let promptLimit: UInt64 = 30
  private static let tries = 3

  /// Takes the next act.
  func play() -> Played {
    guard let running, running.isShown else { return .nothing }
    switch service.authenticator.next() {
    case nil, .timeout: fail(Failure(.timedOut))
    case .approve(let factor):
      // No script says whether an application password is right: what is typed decides.
      if running.factors.contains(factor), factor != .applicationPassword {
        go(service.vault.resume(running.pending, .verified(factor)))
      }
    case .deny(let factor): deny(running, factor)
    case .applicationPassword(let text):
      if let secret = try? SecretBytes(testText: text) {
        give(running, applicationPassword: secret)
      } else {
        fail(Failure(.busy))
      }
    case .cancel: fail(Failure(.cancelled))
    case .lockout: endBiometry(running, .lockout)
    case .unavailable(let obstacle): endBiometry(running, FailureCode(obstacle))
    case .delay(let seconds):
      service.host.wait(seconds: seconds)
      running.elapsed += seconds
      if running.elapsed > Self.promptLimit { fail(Failure(.timedOut)) }
    case .meanwhile(let body): return .meanwhile(body)
    }
    return .played
  }

  private func deny(_ running: Running, _ factor: Factor) {
    guard running.factors.contains(factor) else { return }
    running.denials[factor, default: 0] += 1
    let isLast = running.denials[factor, default: 0] >= Self.tries
    switch factor {
    case .biometry:
      if isLast { endBiometry(running, .authenticationFailed) } else { notice(running, .noMatch) }
    case .devicePasscode:
      if isLast { fail(Failure(.authenticationFailed)) } else { notice(running, .wrongPasscode) }
    case .applicationPassword:
      // The engine counts; no item has the empty password unless a test gave it one.
      if let secret = try? SecretBytes(testText: "") {
        give(running, applicationPassword: secret)
      }
    // Nobody is prompted for it.
    case .presence: break
    }
  }

  /// Goes on with the other factors, or fails when a finger was the only one.
  private func endBiometry(_ running: Running, _ code: FailureCode) {
    guard running.factors.contains(.biometry), let gathering = running.gathering else { return }
    running.biometryEnded = true
    if gathering.alternatives.allSatisfy({ $0.contains(.biometry) }) {
      fail(Failure(code))
    } else {
      notice(running, .biometryEnded)
    }
  }

  private func notice(_ running: Running, _ kind: Notice.Kind) {
    send(.step(.notice(prompt: running.prompt, Notice(kind))))
  }
}
