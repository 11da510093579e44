import WhorlClient
import Wire

/// Items in the user's own keyring: what went wrong there, and the way out.
extension Advice {
  static func fact(_ problem: KeyringProblem) -> String {
    switch problem {
    case .noBus: "there is no session bus to reach your keyring by"
    case .noService: "no keyring is on the session bus"
    case .locked: "your keyring is locked"
    case .gone: "your keyring went away in the middle of a call"
    case .missing: "your keyring does not have it any more"
    case .noCollection:
      collection.map { "your keyring has no collection \(quoted($0))" }
        ?? "your keyring has no default collection"
    case .timedOut: "your keyring does not answer"
    case .cancelled: "cancelled"
    case .exhausted: "no memory is left for it"
    case .noHelper: "whorl-secret-service, which speaks with keyrings, is missing or does not work"
    case .privileged: "a program with more rights than its caller does not use the caller's keyring"
    case .badSettings: "your settings for Whorl cannot be read or understood"
    case .failed(let words): "your keyring: \(displayText(words))"
    }
  }

  static func lines(_ problem: KeyringProblem, about item: ItemIdentity?) -> [String] {
    switch problem {
    case .noBus: ["Run it in your desktop session, or under “dbus-run-session”."]
    case .noService: ["GNOME Keyring, KWallet and KeePassXC can be one."]
    case .locked: ["Unlock it, in Seahorse for instance, and run this again."]
    case .gone, .timedOut: ["Run this again: nothing was lost."]
    case .missing:
      [
        "Somebody deleted it there. A backup of the keyring may have it;",
        "otherwise \(command("add --replace", item)) stores it anew.",
      ]
    case .noCollection where collection != nil:
      ["\(settings) names it. Make it, in Seahorse for instance, or name another there."]
    case .noCollection:
      ["Make one, in Seahorse for instance, or name another in \(settings)."]
    case .noHelper: ["“whorl doctor” checks the installation."]
    case .cancelled, .exhausted, .privileged, .badSettings, .failed: []
    }
  }

  /// The collection that the user has settled on.
  private static var collection: [UInt8]? {
    guard let label = (try? UserSettings.own())?.collection, !label.isEmpty else { return nil }
    return label
  }

  private static var settings: String { UserSettings.file.map(quoted) ?? "whorl.conf" }

  /// Said of an item that was written and is not in the keyring yet.
  static func unplaced(_ error: KeychainError) -> String {
    "whorl: note: it is stored, and whorld keeps it until your keyring does: "
      + fact(error)
  }
}
