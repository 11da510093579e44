import AccessControl
import SecretMemory
import Vault
import Wire

/// How a login goes through the same steps as every other request.
extension RequestRunner {
  func begin(
    _ connection: ClientConnection, _ request: Request, _ login: Login, _ secrets: [SecretBytes]
  ) {
    guard login.step == .verify else { return logins.take(login, secrets, connection) }
    logins.target(of: login, for: connection) { [weak self] answer in
      guard let self, !connection.isClosed else { return }
      switch answer {
      case .failure(let failure): connection.finish(.failed(failure))
      case .success(let target):
        let user = target.subject.user
        // Before a lock screen nobody sees what else would take the finger.
        if !host.facts(for: target.subject).isUnlocked {
          desk.endAll(of: user, Failure(.locked))
        }
        let caller = PendingOperation.Caller(connection: connection.id, subject: target.subject)
        start(
          connection, request, [],
          recordable(request, caller) {
            vault.beginLogin(request, by: caller, terms: target.terms)
          })
      }
    }
  }

  /// To begin with a login secret goes through the steps, since it takes the password.
  func begin(
    _ connection: ClientConnection, _ request: Request, _ action: LoginKeyring.Action
  ) {
    guard action == .enable, !logins.hasKeyring(connection.subject) else {
      return logins.keyring(action, connection)
    }
    start(
      connection, request, [],
      recordable(request, connection.caller) {
        vault.beginLoginKeyring(request, by: connection.caller)
      })
  }

  func loggedIn(_ request: RunningRequest, _ outcome: Outcome) {
    guard case .login(let login) = request.pending.request.operation, !outcome.factors.isEmpty
    else { return }
    logins.loggedIn(request, login)
  }
}
