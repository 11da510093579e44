import SecretService
import Transfer
import WhorlClient
import Wire

extension CommandError {
  init(_ error: KeyringError) {
    switch error {
    case .noBus:
      self.init(
        status: FailureCode.unavailable.exitStatus, "there is no session bus",
        advice: ["Run it in your desktop session, or under “dbus-run-session”."])
    case .noService:
      self.init(
        status: FailureCode.unavailable.exitStatus, "no keyring is on the session bus",
        advice: ["GNOME Keyring, KWallet and KeePassXC can be one."])
    case .locked:
      self.init(
        status: FailureCode.locked.exitStatus, "the keyring is locked",
        advice: ["Unlock it, in Seahorse for instance, and run this again."])
    case .gone:
      self.init(
        status: FailureCode.unavailable.exitStatus, "the keyring went away in the middle of a call",
        advice: ["Run this again: it goes on where it ended."])
    case .missing: self.init(status: FailureCode.notFound.exitStatus, "the item is not there")
    case .timedOut:
      self.init(
        status: FailureCode.timedOut.exitStatus, "the keyring does not answer",
        advice: ["Run this again: it goes on where it ended."])
    case .exhausted:
      self.init(status: FailureCode.busy.exitStatus, "no memory is left for the secret")
    case .failed(let words): self.init(status: 1, "the keyring: \(displayText(words))")
    }
  }

  init(_ error: ImportError, about item: ItemIdentity) {
    let status = FailureCode.badParameter.exitStatus
    let name = quoted(item.name.bytes)
    switch error {
    case .unfit: self.init(status: status, "\(name): its attributes do not fit")
    case .tooLong: self.init(status: status, "\(name): a secret is 1 MiB at most")
    case .differs:
      self.init(
        status: FailureCode.corrupted.exitStatus,
        "\(name): what was read back is not what was stored")
    case .keychain(let error): self.init(error, about: item)
    }
  }
}

/// Runs calls to the keyring.
func attemptKeyring<Result>(
  _ body: () throws(KeyringError) -> Result
) throws(CommandError) -> Result {
  do { return try body() } catch { throw CommandError(error) }
}
