import Linux
import SecretMemory
import Wire

/// Checks the factor device passcode: the account's password, by PAM in a worker.
public final class PasscodeAuthenticator {
  private let loop: any EventLoop
  private let settings: WorkerSettings

  public init(loop: any EventLoop, settings: WorkerSettings) {
    self.loop = loop
    self.settings = settings
  }

  /// Starts one try with a passcode that is typed already. The completion runs once, on the loop,
  /// never inside this call.
  public func verify(
    _ target: AuthenticationTarget, passcode: SecretBytes,
    onEvent: @escaping (AuthenticatorEvent) -> Void = { _ in },
    completion: @escaping (AuthenticatorOutcome) -> Void
  ) -> AuthenticatorRun {
    let run = AuthenticatorRun(loop: loop, completion: completion)
    guard (1...WorkerRequest.passcodeLimit).contains(passcode.count) else {
      // No password is empty or longer than PAM can carry.
      run.finish(.failed(.wrongPasscode))
      return run
    }
    // One passcode answers one question; a module that asks again gets no second guess.
    var offered: SecretBytes? = passcode
    do throws(SystemError) {
      run.worker = try WorkerClient(
        loop: loop, path: settings.socket, limit: settings.limit,
        request: settings.request(.passcode, target)
      ) { [weak run] event in
        switch event {
        case .info(let text): onEvent(.info(text))
        case .error(let text): onEvent(.problem(text))
        case .passcodeWanted:
          guard let passcode = offered else {
            run?.finish(.unavailable(.other("the service asks for more than a password")))
            return
          }
          offered = nil
          run?.worker?.send(passcode: passcode)
        case .answer, .vanished, .timedOut:
          run?.finish(AuthenticatorOutcome(event, wrong: .wrongPasscode))
        }
      }
    } catch {
      run.finish(.unavailable(.workerMissing))
    }
    return run
  }
}
