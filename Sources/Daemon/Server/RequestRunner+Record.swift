import AccessControl
import HostAuthentication
import Linux
import Vault
import Wire

/// What is in the record of a request: every wrong try, and how it ended.
extension RequestRunner {
  static let auditLog = Array("the audit log cannot be written".utf8)

  /// Wrong fingers that are recorded of one request: a module can tell of more than were there.
  private static let fingerLimit = 16

  /// A wrong try, which may not be the last: whatever comes of the request, it is in the record.
  /// That is one, however many items it was for: it names the first.
  func refused(_ request: RunningRequest, _ factor: Factor) {
    if factor == .biometry {
      guard request.wrongFingers < Self.fingerLimit else { return }
      request.wrongFingers += 1
    }
    let tried = records(
      request.pending.request, request.pending.caller, Failure(.authenticationFailed), [factor])
    if let first = tried.first { _ = log.append(first) }
  }

  /// Takes a step once it is sure that its end can be recorded.
  func recordable(
    _ request: Request, _ caller: PendingOperation.Caller, _ step: () -> Step
  ) -> Step {
    guard let (_, items) = request.operation.record(nil) else { return step() }
    let program = caller.subject.executable?.path ?? []
    // Where the last application password is wrong, that try comes before the end.
    let wrongTry = items.first.map { AuditLogFile.room(program, $0) } ?? 0
    let count = items.reduce(wrongTry) { $0 + AuditLogFile.room(program, $1) }
    do throws(SystemError) {
      try log.makeRoom(count, for: caller.subject.user)
    } catch {
      let isFull = StorageError(error) == .full
      return .failed(Failure(isFull ? .storageFull : .unavailable, detail: Self.auditLog))
    }
    return step()
  }

  @discardableResult
  func record(
    _ request: Request, _ caller: PendingOperation.Caller, _ failure: Failure?,
    _ factors: [Factor]
  ) -> Bool {
    records(request, caller, failure, factors).reduce(true) { log.append($1) && $0 }
  }

  private func records(
    _ request: Request, _ caller: PendingOperation.Caller, _ failure: Failure?,
    _ factors: [Factor]
  ) -> [AuditRecord] {
    guard let (action, items) = request.operation.record(failure) else { return [] }
    let subject = caller.subject
    return items.map { item in
      AuditRecord(
        time: host.date, user: subject.user, process: subject.process,
        program: subject.executable?.path ?? [], action: action, item: item, factors: factors,
        failure: failure?.code)
    }
  }
}
