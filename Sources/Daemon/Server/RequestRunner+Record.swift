import AccessControl
import HostAuthentication
import Linux
import Vault
import Wire

/// What is in the record of a request: every wrong try, and how it ended.
extension RequestRunner {
  static let auditLog = Array("the audit log cannot be written".utf8)

  /// A wrong try, which may not be the last: whatever comes of the request, it is in the record.
  func refused(_ request: RunningRequest, _ factor: Factor) {
    record(
      request.pending.request, request.pending.caller, Failure(.authenticationFailed), [factor])
  }

  /// Takes a step once it is sure that its end can be recorded.
  func recordable(
    _ request: Request, _ caller: PendingOperation.Caller, _ step: () -> Step
  ) -> Step {
    do throws(SystemError) {
      try log.makeRoom(for: records(request, caller, nil, Factor.allCases))
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
