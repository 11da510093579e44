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
  /// Whether the user's session was unlocked when the person was asked.
  var wasUnlocked = false
  /// The answer was sent, or nobody waits for it any more.
  var isOver = false

  init(_ connection: ClientConnection, _ pending: PendingOperation) {
    self.connection = connection
    self.pending = pending
  }

  var user: UInt32 { connection.subject.user }

  /// What asks, for people: unverified.
  var program: [UInt8] {
    let path = connection.subject.executable?.path ?? []
    let via = connection.hello.via
    return via.isEmpty ? path : path + Array(" for ".utf8) + via
  }
}
