import HostAuthentication
import Vault
import Wire

/// Ends the items that are only kept as long as the account has a password, once it has none: the
/// password that is set later is not the one they were stored under.
///
/// A password that is locked or has expired is still one.
final class PasscodeRemoval {
  private let accounts: AccountDirectory
  private let vault: Vault
  private let owners: () -> [Owner]
  private let onEnd: (Owner, [UInt8]) -> Void
  private var watch: AccountWatch?

  /// - Parameters:
  ///   - file: changes when a password does.
  ///   - owners: everyone with items.
  ///   - onEnd: an item of an owner was ended, by its name for people.
  init(
    loop: any EventLoop, file: String, accounts: AccountDirectory, vault: Vault,
    owners: @escaping () -> [Owner], onEnd: @escaping (Owner, [UInt8]) -> Void
  ) {
    self.accounts = accounts
    self.vault = vault
    self.owners = owners
    self.onEnd = onEnd
    watch = try? AccountWatch(loop: loop, file: file) { [weak self] in self?.look() }
  }

  /// Asks about every owner.
  func look() {
    look(owners()[...])
  }

  /// One after another: each question starts processes.
  private func look(_ owners: ArraySlice<Owner>) {
    guard let owner = owners.first else { return }
    accounts.lookup(owner.user) { [weak self] answer in
      guard let self else { return }
      if case .known(let account) = answer, Array(account.name.utf8) == owner.name,
        account.password == .empty || account.password == .disabled
      {
        for name in vault.passcodeRemoved(of: owner) { onEnd(owner, name) }
      }
      look(owners.dropFirst())
    }
  }
}
