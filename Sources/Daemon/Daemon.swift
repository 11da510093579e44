import AccessControl
import Crypto
import HostAuthentication
import Linux
import SecretMemory
import Systemd
import Vault
import Wire

/// The whole daemon on one thread: makes its parts, joins them to the loop, and runs until it is
/// told to stop.
public final class Daemon {
  /// Why it did not start, in words for an administrator.
  public struct StartError: Error {
    public let text: String
  }

  private let loop: EpollLoop
  private var configuration: Configuration
  private let shared: ClientConnection.Shared
  private let bus: HostBus
  private let sessions: SessionDirectory
  private let accounts: AccountDirectory
  private let host: HostFacts
  private let storage: FileVaultStorage
  private let vault: Vault
  private let desk: PromptDesk
  private let log: AuditLog
  private let logins: LoginRunner
  private let runner: RequestRunner
  private let server: Server
  private var printWatch: PrintWatch?
  private var passcodeRemoval: PasscodeRemoval?
  private let signals: SignalDescriptor
  /// Of the folders that are this daemon's alone.
  private let locks: [FolderLock]
  private let reload: () throws -> Configuration
  private let rules: RuleBook

  /// - Parameters:
  ///   - listener: the socket handed over by the service manager, if any.
  ///   - reload: reads the configuration again, at SIGHUP.
  public init(
    configuration: Configuration, listener: ListeningSocket?,
    reload: @escaping () throws -> Configuration
  ) throws {
    self.configuration = configuration
    self.reload = reload
    let box = CurrentConfiguration(configuration)
    current = box
    rules = RuleBook(folder: configuration.state)
    try Crypto.initialize()
    do { try LockedArena.shared.prime() } catch {
      throw StartError(text: "no memory can be locked: raise LimitMEMLOCK")
    }
    Hardening.outliveFailedWrites()
    Hardening.keepNewFilesPrivate()
    locks = [
      try StateFolder.take(configuration.state), try StateFolder.take(configuration.runtime),
    ]
    try rules.read()
    box.value = rules.applied(to: configuration)
    rules.onChange = { box.value.take($0) }
    loop = try EpollLoop()
    shared = try ClientConnection.Shared(loop: loop, configuration: configuration)
    signals = try SignalDescriptor.service()
    bus = HostBus(loop: loop, address: configuration.busAddress)
    sessions = SessionDirectory(loop: loop, bus: bus)
    accounts = AccountDirectory(
      loop: loop, socket: configuration.workerSocket,
      files: [configuration.passwd, configuration.shadow])
    host = HostFacts(
      accounts: accounts, sessions: sessions,
      proofs: PasscodeProofs(folder: configuration.runtime),
      touches: TouchFailures(folder: configuration.runtime),
      unlocks: FirstUnlocks(folder: configuration.runtime), configuration: box)
    let prints = PrintFolder(folder: configuration.prints)
    let (storage, keys) = try StateFolder.open(configuration)
    self.storage = storage
    vault = Vault(storage: storage, keys: keys, enrollment: prints, host: host)
    let settings = WorkerSettings(
      socket: configuration.workerSocket,
      directory: configuration.pamDirectory.isEmpty ? nil : configuration.pamDirectory,
      limit: configuration.workerLimit)
    let authenticators = HostAuthenticators(
      loop: loop, bus: bus, sessions: sessions, settings: settings,
      host: host, configuration: { box.value })
    desk = PromptDesk(
      loop: loop, authenticators: authenticators,
      backoff: PasscodeBackoff(folder: configuration.runtime), configuration: configuration,
      clock: BootClock.nanoseconds)
    log = try AuditLog(folder: configuration.state + "/audit", loop: loop)
    logins = LoginRunner(
      vault: vault, accounts: accounts, host: host, sessions: sessions, log: log,
      captured: CapturedPasswords(
        loop: loop, limit: configuration.captureLimit, vault: vault, accounts: accounts,
        passcode: PasscodeAuthenticator(loop: loop, settings: settings)))
    runner = RequestRunner(
      vault: vault, desk: desk, authenticators: authenticators,
      stretcher: PasswordStretcher(mailbox: try LoopMailbox(loop: loop)), log: log, host: host,
      information: HostInformation(
        authenticators: authenticators, sessions: sessions, host: host, vault: vault, log: log,
        prints: PrintListing(
          folder: prints,
          describer: PrintDescriber(loop: loop, socket: configuration.printReaderSocket)),
        pamDirectory: configuration.pamDirectory),
      logins: logins,
      administrator: AdministrationRunner(
        vault: vault, owners: { [storage] in (try? storage.owners()) ?? [] }, accounts: accounts,
        log: log, host: host, polkit: PolkitAuthority(bus: bus, label: "whorl-administration"),
        rules: rules, configuration: { box.value }))
    server = Server(
      listener: try listener ?? Self.listen(configuration.socket), shared: shared,
      accounts: accounts, host: host, runner: runner,
      descriptorLimit: Hardening.raiseDescriptorLimit())
    join()
  }

  private let current: CurrentConfiguration

  private static func listen(_ path: String) throws(StartError) -> ListeningSocket {
    do { return try ListeningSocket(path: path) } catch {
      throw StartError(text: "\(path): \(error)")
    }
  }

  /// Serves until SIGTERM or SIGINT.
  public func run() throws {
    Notify.ready()
    try loop.run()
    Notify.stopping()
    log.finish()
  }

  private func join() {
    _ = loop.watch(signals.descriptor, for: .input) { [weak self] _ in self?.signalled() }
    sessions.onChange = { [weak self] in self?.runner.sessionsChanged() }
    sessions.onLock = { [weak self] user in self?.vault.endReuse(user: user) }
    sessions.willSleep = { [weak self] done in
      guard let self else { return done() }
      runner.suspend()
      // Also of users who have no session.
      vault.endReuse(user: nil)
      // The workers are gone when their sockets close; fprintd needs a moment to see it.
      loop.after(milliseconds: 50, done)
    }
    vault.onEnd = { [weak self] owner, change in self?.generationEnded(owner, change) }
    do throws(SystemError) {
      printWatch = try PrintWatch(loop: loop, folder: configuration.prints) { [weak self] user in
        self?.printsChanged(user)
      }
    } catch {
      ServiceNote.write("\(configuration.prints) is not watched, only looked at: \(error)")
    }
    watchPasswords()
  }

  private func watchPasswords() {
    guard configuration.passcodes == .shadow else { return }
    passcodeRemoval = PasscodeRemoval(
      loop: loop, file: configuration.shadow, accounts: accounts, host: host, vault: vault,
      owners: { [storage] in (try? storage.owners()) ?? [] },
      onEnd: { [weak self] owner, name in
        guard let self else { return }
        _ = log.append(
          AuditRecord(
            time: host.date, user: owner.user, process: 0, program: [], action: .delete, item: name,
            factors: [], failure: nil))
      })
    passcodeRemoval?.look()
  }

  private func printsChanged(_ name: String?) {
    let name = name.map { Array($0.utf8) }
    vault.enrollmentMayHaveChanged(of: name)
    runner.printsChanged(of: name)
  }

  private func generationEnded(_ owner: Owner, _ change: EnrollmentChange) {
    _ = log.append(
      AuditRecord(
        time: host.date, user: owner.user, process: 0, program: [], action: .generationEnded,
        item: change.path, factors: [], failure: nil))
  }

  private func signalled() {
    while let signal = signals.next() {
      guard signal == SignalDescriptor.reload else {
        loop.stop()
        continue
      }
      Notify.reloading()
      do {
        let new = rules.applied(to: try reload())
        configuration = new
        current.value = new
        shared.configuration = new
        desk.configuration = new
      } catch { ServiceNote.write("\(error); the configuration stays as it was") }
      Notify.ready()
    }
  }
}
