import AccessControl
import HostAuthentication
import Linux
import Vault
import Wire

/// Answers the requests that are about the host and not about items, status, log and lock, and
/// what the host knows of an item that is shown.
final class HostInformation {
  private let authenticators: any Authenticators
  private let sessions: SessionDirectory
  private let host: HostFacts
  private let vault: Vault
  private let log: AuditLog
  private let prints: PrintListing
  private let pamDirectory: [UInt8]

  init(
    authenticators: any Authenticators, sessions: SessionDirectory, host: HostFacts,
    vault: Vault, log: AuditLog, prints: PrintListing, pamDirectory: String
  ) {
    self.authenticators = authenticators
    self.sessions = sessions
    self.host = host
    self.vault = vault
    self.log = log
    self.prints = prints
    self.pamDirectory = Array(pamDirectory.utf8)
  }

  /// Shows an item, with what the file of a print that ended its binding is found to be.
  func show(_ detail: ItemDetail, _ connection: ClientConnection) {
    guard case .ended(let change) = detail.binding else {
      return connection.finish(.done(.item(detail)))
    }
    prints.check(change, of: connection.subject.name) { change in
      guard !connection.isClosed else { return }
      var detail = detail
      detail.binding = .ended(change)
      connection.finish(.done(.item(detail)))
    }
  }

  func answer(_ operation: Operation, _ connection: ClientConnection) {
    let subject = connection.subject
    switch operation {
    case .log(let limit):
      let records = log.records(of: subject.user, limit: Int(limit))
      connection.finish(.done(.records(records)))
    case .lock:
      sessions.lock(subject.user)
      vault.endReuse(user: subject.user)
      // Without a session nothing is locked, and nothing would unlock it again.
      let failure = host.facts(for: subject).isUnlocked ? Failure(.unavailable) : nil
      _ = log.append(
        AuditRecord(
          time: host.date, user: subject.user, process: subject.process,
          program: subject.executable?.path ?? [], action: .lock, item: [], factors: [],
          failure: failure?.code))
      connection.finish(failure.map { .failed($0) } ?? .done(.done))
    case .status:
      authenticators.biometryObstacle(for: subject, origin: nil, isVerifiedNext: false) {
        [weak self] obstacle in
        self?.prints.prints(of: subject.name) { prints in
          guard let self, !connection.isClosed else { return }
          let facts = self.host.facts(for: subject)
          connection.finish(
            .done(
              .status(
                HostStatus(
                  biometryObstacle: obstacle, hasPasscode: facts.hasPasscode,
                  isUnlocked: facts.isUnlocked,
                  lacksLockHint: self.sessions.lacksLockHint(subject.user), prints: prints,
                  pamDirectory: self.pamDirectory))))
        }
      }
    default: connection.finish(.failed(Failure(.internalError)))
    }
  }
}
