import Vault
import Wire

extension Operation {
  /// How the operation is recorded; nil for those that only look.
  func record(_ failure: Failure?) -> (AuditRecord.Action, [[UInt8]])? {
    switch self {
    case .login(let login): login.isRecorded(failure) ? (.login, [login.service]) : nil
    case .add(let item, _): (.add, [item.identity.displayName])
    case .read(let items): (.read, items.map(\.displayName))
    case .update(let item, _): (.update, [item.displayName])
    case .delete(let item): (.delete, [item.displayName])
    case .rearm(let item): (.rearm, [item.displayName])
    case .evaluate: (.evaluate, [[]])
    case .makeKey(let item, _): (.makeKey, [item.identity.displayName])
    case .sign(let item, _): (.sign, [item.displayName])
    case .agree(let item, _): (.agree, [item.displayName])
    case .show, .list, .status, .log, .lock, .canEvaluate, .domainState, .form, .discarded:
      nil
    // What could not be placed is kept, and told by no record of its own.
    case .placed(let item, _): failure == nil ? (.place, [item.displayName]) : nil
    case .loginKeyring(let action): action == .enable ? (.loginKeyring, [[]]) : nil
    // Recorded where it is done, for two accounts.
    case .administer: nil
    }
  }
}
