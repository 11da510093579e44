import HostAuthentication
import Vault
import Wire

/// Looks again at accounts when a password may have changed: what is known of those that are
/// connected may be old by then, and items that are only kept as long as their account has a password
/// end once it has none, since the one that is set later is not the one they were stored under.
///
/// A password that is locked or has expired is still one.
final class PasscodeRemoval {
  private let accounts: AccountDirectory
  private let host: HostFacts
  private let vault: Vault
  private let owners: () -> [Owner]
  private let onEnd: (Owner, [UInt8]) -> Void
  private var watch: AccountWatch?

  /// - Parameters:
  ///   - file: changes when a password does.
  ///   - owners: everyone with items.
  ///   - onEnd: an item of an owner was ended, by its name for people.
  init(
    loop: any EventLoop, file: String, accounts: AccountDirectory, host: HostFacts, vault: Vault,
    owners: @escaping () -> [Owner], onEnd: @escaping (Owner, [UInt8]) -> Void
  ) {
    self.accounts = accounts
    self.host = host
    self.vault = vault
    self.owners = owners
    self.onEnd = onEnd
    watch = try? AccountWatch(loop: loop, file: file) { [weak self] in self?.look() }
  }

  /// Asks about every owner, and everyone who is connected.
  func look() {
    let owners = owners()
    look(Array(host.connected.union(owners.map(\.user)))[...], owners)
  }

  /// One after another: each question starts processes.
  private func look(_ users: ArraySlice<UInt32>, _ owners: [Owner]) {
    guard let user = users.first else { return }
    accounts.lookup(user) { [weak self] answer in
      guard let self else { return }
      if case .known(let account) = answer {
        host.note(account)
        if account.password == .empty || account.password == .disabled { end(account, owners) }
      }
      look(users.dropFirst(), owners)
    }
  }

  /// A uid may have had other names, whose items are not this account's.
  private func end(_ account: Account, _ owners: [Owner]) {
    for owner in owners where owner.user == account.uid && owner.name == Array(account.name.utf8) {
      for name in vault.passcodeRemoved(of: owner) { onEnd(owner, name) }
    }
  }
}
