import AccessControl
import SecretMemory
import Vault
import Wire

/// A request between its first step and its answer.
final class RunningRequest {
  let connection: ClientConnection
  let pending: PendingOperation
  /// Whether the way to a finger was looked at already.
  var checkedBiometry = false
  /// The application password while it is being stretched.
  var applicationPassword: SecretBytes?
  /// Whether one was given for the prompt that is shown.
  var gaveApplicationPassword = false
  /// How many wrong fingers are in the record.
  var wrongFingers = 0
  /// Whether the user's session was unlocked when the person was asked.
  var wasUnlocked = false
  /// The question to the desktop's agent while it goes on.
  var agent: (any Attempt)?
  /// The sealed forms that the client is to bring, or has brought.
  var fetch: FormFetch?
  /// Whether the desktop was found to have no agent.
  var lacksAgent = false
  /// The answer was sent, or nobody waits for it any more.
  var isOver = false

  init(_ connection: ClientConnection, _ pending: PendingOperation) {
    self.connection = connection
    self.pending = pending
  }

  /// Who has to be there: for a login the account that logs in, else the peer.
  var subject: Subject { pending.caller.subject }
  var user: UInt32 { subject.user }

  /// Where a login is, where root says it; nil for everything else.
  var origin: LoginOrigin? {
    guard case .login(let login) = pending.request.operation, connection.subject.user == 0 else {
      return nil
    }
    return LoginOrigin(login)
  }

  /// What asks, for people: unverified.
  var program: [UInt8] {
    if case .login(let login) = pending.request.operation { return login.service }
    let path = connection.subject.executable?.path ?? []
    let via = connection.hello.via
    return via.isEmpty ? path : path + Array(" for ".utf8) + via
  }
}
