import NameService
import PAM
import SecretMemory
import Wire

/// Runs one PAM transaction for a request and reports its verdict.
struct AuthenticationRun {
  let request: WorkerRequest.Authentication
  let channel: WorkerChannel

  func perform() {
    if let failure = ServiceFile.failure(request.service, in: request.directory) {
      return channel.send(failure)
    }
    guard isUserOfUID() else { return }
    do throws(PAMError) {
      let (code, stage) = try run()
      channel.send(.verdict(PAMCode(rawValue: code), stage))
    } catch {
      channel.send(.failure(.startFailed, "\(error)"))
    }
  }

  /// A name that meanwhile belongs to another uid must not be authenticated for this one.
  private func isUserOfUID() -> Bool {
    do throws(NameService.Failure) {
      guard try NameService.uid(of: request.user) == request.uid else {
        channel.send(.failure(.userMismatch, ""))
        return false
      }
      return true
    } catch {
      channel.send(.failure(.nameService, "errno \(error.code)"))
      return false
    }
  }

  private func run() throws(PAMError) -> (Int32, WorkerStage) {
    var transaction = try Transaction(
      service: request.service.rawValue, user: request.user, directory: request.directory,
      conversation: answer)
    try transaction.set(.remoteHost, request.remoteHost)
    try transaction.set(.terminal, request.terminal)
    try transaction.set(.remoteUser, request.user)
    var code = transaction.authenticate()
    guard code == PAMCode.success.rawValue else { return (code, .authenticate) }
    code = transaction.manageAccount()
    guard code == PAMCode.success.rawValue else { return (code, .account) }
    guard transaction.user() == request.user else {
      return (PAMCode.permissionDenied.rawValue, .userChanged)
    }
    return (PAMCode.success.rawValue, .finished)
  }

  private func answer(_ style: PromptStyle, _ text: String) -> SecretBytes? {
    switch style {
    case .info:
      channel.send(.info(text))
      return nil
    case .error:
      channel.send(.error(text))
      return nil
    case .echoOn:
      // None of our services asks for anything but the password.
      return nil
    case .echoOff:
      // A fingerprint service that asks for a password is misconfigured, and its answer would be
      // evidence of the wrong factor.
      guard request.service == .passcode else { return nil }
      channel.send(.passcodeWanted)
      guard channel.receive() == .passcode else { return nil }
      return channel.receiveSecret()
    }
  }
}
