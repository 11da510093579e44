import CLinux
import CPAMModule

/// The roles that tell the daemon something and ask for nothing: they never decide who may log in.
enum Tell {
  /// Milliseconds for all of it: nobody waits at a login for a daemon that does not answer.
  private static let limit: Int64 = 2_000

  /// - Returns: whether the daemon said that it got it.
  static func run(_ handle: Handle, _ arguments: ModuleArguments, _ login: Login) -> Bool {
    let deadline = Deadline(after: limit)
    // SAFETY: the path is a word of the PAM file, which libpam keeps for the length of the call.
    guard let socket = unsafe DaemonSocket(path: arguments.socket),
      let exchange = Exchange(socket, login, until: deadline, handle)
    else { return false }
    var secret: ReceivedSecret?
    return exchange.next(secret: &secret) == .hello(version: ModuleMessages.version)
      && exchange.next(secret: &secret) == .done && secret == nil
  }

  /// The password that the stack has just accepted, unless it came from the daemon itself.
  static func capture(_ handle: Handle, _ arguments: ModuleArguments) -> Int32 {
    guard geteuid() == 0, handle.hasToken, !handle.wasReleased, let place = LoginPlace(handle),
      place.handlesSecret
    else { return PAM_IGNORE }
    guard run(handle, arguments, place.login(.capture)) else {
      handle.note("the daemon did not take the login secret")
      return PAM_AUTHINFO_UNAVAIL
    }
    return PAM_IGNORE
  }

  /// The password that has just become the account's.
  static func password(_ handle: Handle, _ arguments: ModuleArguments, flags: Int32) -> Int32 {
    // In the first of the two rounds nothing has changed yet.
    guard flags & Int32(PAM_UPDATE_AUTHTOK) != 0, geteuid() == 0, handle.hasToken,
      let place = LoginPlace(handle)
    else { return PAM_IGNORE }
    guard run(handle, arguments, place.login(.passwordChanged)) else {
      handle.note("the daemon did not take the new login secret")
      return PAM_AUTHTOK_ERR
    }
    return PAM_IGNORE
  }

  static func session(_ handle: Handle, _ arguments: ModuleArguments, _ step: Login.Step) -> Int32 {
    guard geteuid() == 0, let place = LoginPlace(handle), place.handlesSecret else {
      return PAM_IGNORE
    }
    guard run(handle, arguments, place.login(step)) else {
      handle.note("the daemon did not hear of the session")
      return PAM_SESSION_ERR
    }
    return PAM_SUCCESS
  }
}
