import CLinux
import CPAMModule

/// The role *verify*: a touch, or the next line of the stack.
enum Verify {
  /// How long the daemon may take for its first word, in milliseconds.
  private static let firstWord: Int64 = 3_000

  static func run(_ handle: Handle, _ arguments: ModuleArguments) -> Int32 {
    // Somebody typed already: a touch would be asked for in vain.
    guard !handle.hasToken, let login = LoginPlace(handle)?.login(.verify) else {
      return PAM_AUTHINFO_UNAVAIL
    }
    let deadline = Deadline(after: arguments.timeout)
    // SAFETY: the path is a word of the PAM file, which libpam keeps for the length of the call.
    guard let socket = unsafe DaemonSocket(path: arguments.socket),
      let exchange = Exchange(socket, login, until: deadline, handle)
    else { return PAM_AUTHINFO_UNAVAIL }
    return listen(exchange, handle)
  }

  private static func listen(_ exchange: consuming Exchange, _ handle: Handle) -> Int32 {
    var secret: ReceivedSecret?
    var wasShown = false
    let first = Deadline(after: firstWord)
    guard exchange.next(within: first, secret: &secret) == .hello(version: ModuleMessages.version)
    else { return PAM_AUTHINFO_UNAVAIL }
    while true {
      guard let answer = exchange.next(within: wasShown ? nil : first, secret: &secret) else {
        if wasShown { handle.say(PAM_ERROR_MSG, Speech.usePassword) }
        return PAM_AUTHINFO_UNAVAIL
      }
      switch answer {
      case .queued:
        // Whoever is at the head may take as long as all of ours.
        if !wasShown { handle.say(PAM_TEXT_INFO, Speech.queued) }
        wasShown = true
      case .show(let prompt):
        wasShown = true
        handle.say(PAM_TEXT_INFO, Speech.touch)
        guard exchange.send(ModuleMessages.shown(prompt)) else { return PAM_AUTHINFO_UNAVAIL }
      case .armed: break
      case .notice(let kind):
        if let text = Speech.notice(kind) { handle.say(PAM_ERROR_MSG, text) }
      case .done:
        // No secret is part of this answer.
        return secret == nil ? PAM_SUCCESS : PAM_AUTHINFO_UNAVAIL
      case .secrets(let count):
        guard count == 1, let released = secret.take() else { return PAM_AUTHINFO_UNAVAIL }
        // Without it the login goes on, and the keyring asks.
        if !handle.set(token: released) { handle.note("the login secret could not be handed on") }
        return PAM_SUCCESS
      case .failed(let code):
        if let text = Speech.failure(code, wasShown: wasShown) { handle.say(PAM_ERROR_MSG, text) }
        return code == Speech.authenticationFailed ? PAM_AUTH_ERR : PAM_AUTHINFO_UNAVAIL
      case .hello: return PAM_AUTHINFO_UNAVAIL
      }
    }
  }
}
