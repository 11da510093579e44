import HostAuthentication
import SecretMemory
import Vault
import Wire

/// Passwords that login programs handed over. Each is checked by PAM first: what is not found right
/// in time is dropped, and nothing follows from it.
final class CapturedPasswords {
  /// Milliseconds before the check: the login goes on first, and is not slowed by the processes that
  /// are started for it.
  private static let delay: UInt64 = 300
  /// Passwords that are checked at a time, one for each account.
  private static let most = 64

  private final class Check {
    let process: Int32
    var secret: SecretBytes?
    var run: AuthenticatorRun?
    var timer: TimerToken?
    var hasBegun = false

    init(_ secret: SecretBytes, _ process: Int32) {
      self.secret = secret
      self.process = process
    }
  }

  /// Called when a password was found right.
  var onVerified: ((Account) -> Void)?
  private let loop: any EventLoop
  private let limit: UInt64
  private let vault: Vault
  private let accounts: AccountDirectory
  private let passcode: PasscodeAuthenticator
  private var checks: [String: Check] = [:]

  /// - Parameter limit: milliseconds for the check of each.
  init(
    loop: any EventLoop, limit: UInt64, vault: Vault, accounts: AccountDirectory,
    passcode: PasscodeAuthenticator
  ) {
    self.loop = loop
    self.limit = limit
    self.vault = vault
    self.accounts = accounts
    self.passcode = passcode
  }

  /// A later password of the same account takes the place of one still being checked.
  ///
  /// - Parameter process: of the login program.
  func take(_ secret: SecretBytes, of name: String, by process: Int32) {
    drop(name)
    guard checks.count < Self.most else { return }
    let check = Check(secret, process)
    checks[name] = check
    check.timer = loop.after(milliseconds: limit) { [weak self] in self?.drop(name) }
    loop.after(milliseconds: Self.delay) { [weak self] in self?.begin(check, name) }
  }

  private func begin(_ check: Check, _ name: String) {
    guard checks[name] === check, !check.hasBegun else { return }
    check.hasBegun = true
    accounts.lookup(name: name) { [weak self] answer in
      guard let self, checks[name] === check else { return }
      guard case .known(let account) = answer else { return drop(name) }
      mark(account, check) { [weak self] before in self?.verify(account, check, before) }
    }
  }

  /// A login program's session ended, which no check slows any more.
  func hasten(_ name: String, by process: Int32) {
    if let check = checks[name], check.process == process { begin(check, name) }
  }

  /// Nothing of an account's is checked any more.
  func drop(_ name: String) {
    guard let check = checks.removeValue(forKey: name) else { return }
    if let timer = check.timer { loop.cancel(timer) }
    check.run?.cancel()
    check.secret = nil
  }

  private func mark(_ account: Account, _ check: Check, _ next: @escaping ([UInt8]?) -> Void) {
    accounts.passwordMark(of: account.name) { [weak self] mark in
      guard let self, checks[account.name] === check else { return }
      next(mark)
    }
  }

  private func verify(_ account: Account, _ check: Check, _ before: [UInt8]?) {
    guard let secret = check.secret else { return }
    check.run = passcode.verify(
      AuthenticationTarget(user: account.name, uid: account.uid), passcode: secret
    ) { [weak self] outcome in
      guard let self, checks[account.name] === check else { return }
      guard case .verified = outcome else { return drop(account.name) }
      onVerified?(account)
      let owner = Owner(user: account.uid, name: Array(account.name.utf8))
      guard vault.wantsLoginSecret(owner), let before else { return drop(account.name) }
      // A password that was changed during the check is not the one that was checked.
      mark(account, check) { [weak self] after in
        guard let self else { return }
        // Nor is one kept that was wanted at the beginning alone.
        if after == before, vault.wantsLoginSecret(owner) {
          do throws(Failure) {
            try vault.keepLoginSecret(secret, of: owner, mark: before)
          } catch {
            if error.code != .notEnrolled {
              ServiceNote.write("a login secret was not kept: \(error.code)")
            }
          }
        }
        drop(account.name)
      }
    }
  }
}
