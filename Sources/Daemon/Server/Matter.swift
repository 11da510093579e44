import AccessControl
import Vault
import Wire

/// What of an administrator's doings needs one, and what the dialog and the record name: the account
/// that it is about, or the rules as they are to be.
struct Matter: Equatable {
  /// Polkit's name of it.
  let action: String
  let record: AuditRecord.Action
  let items: [[UInt8]]

  /// nil for what everybody may: look at the rules, and at the own names and record.
  init?(_ administration: Administration, of subject: Subject) {
    switch administration {
    case .list(let user, _):
      guard user != subject.name else { return nil }
      (action, record, items) = ("org.whorl.list-others", .listOthers, [user])
    case .log(let user, _):
      guard user != subject.name, !user.isEmpty else { return nil }
      (action, record, items) = ("org.whorl.export-log", .exportLog, [user])
    case .purge(let user): (action, record, items) = ("org.whorl.purge", .purge, [user])
    case .rules(let changes):
      let settings = changes.settings.map { Array("\($0.key)=\($0.value)".utf8) }
      guard !settings.isEmpty else { return nil }
      (action, record, items) = ("org.whorl.rules", .changeRules, settings)
    }
  }
}

extension Administration {
  /// Whose; empty for the own one, or where it is about none.
  var account: [UInt8] {
    switch self {
    case .list(let user, _), .log(let user, _), .purge(let user): user
    case .rules: []
    }
  }

  /// Where the page begins that is asked for; 0 for all that has one page.
  var offset: UInt64 {
    switch self {
    case .list(_, let after): after
    case .log(_, let skipping): UInt64(skipping)
    case .purge, .rules: 0
    }
  }
}
