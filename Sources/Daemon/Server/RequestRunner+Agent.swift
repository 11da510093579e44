import AccessControl
import Vault
import Wire

/// How a person is asked by the agent of the desktop, for a program that can show nothing itself.
extension RequestRunner {
  /// Names that a dialog can hold; what it does not name is not released.
  private static let namesInDialog = 4

  func askAgent(_ request: RunningRequest, _ gathering: Gathering) {
    guard gathering.acceptsPresence, gathering.items.count <= Self.namesInDialog else {
      return fail(request, Failure(.interactionNotAllowed))
    }
    // One dialog of a user at a time: more would hide one another.
    guard request.agent == nil,
      !running.values.contains(where: { $0.user == request.user && $0.agent != nil })
    else { return fail(request, Failure(.busy, detail: Array("another dialog waits".utf8))) }
    if case .canEvaluate = request.pending.request.operation {
      // Whether there is an agent is found out by asking alone.
      return fail(request, Failure(.interactionNotAllowed))
    }
    request.wasUnlocked = host.facts(for: request.subject).isUnlocked
    let items = gathering.items.map { displayText($0) }.joined(separator: ", ")
    request.agent = authenticators.verifyPresence(
      of: request.subject,
      PresenceQuestion(
        program: displayText(request.program), item: items.isEmpty ? "your presence" : items)
    ) { [weak self, weak request] outcome in
      guard let self, let request, !request.isOver else { return }
      request.agent = nil
      switch outcome {
      case .verified: verified(request, .presence)
      case .refused: fail(request, Failure(.authenticationFailed))
      case .timedOut: fail(request, Failure(.timedOut))
      case .unavailable(let failure): fail(request, failure)
      }
    }
  }
}
