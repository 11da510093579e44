import AccessControl
import Vault
import Wire

/// How a person is asked by the agent of the desktop, for a program without a terminal.
extension RequestRunner {
  /// Names that a dialog can hold; what it does not name is not released.
  private static let namesInDialog = 4

  /// Whether the agent is to ask now: where the program has prompts of its own, only for what the
  /// agent can ask, and until it was found that there is none.
  func wantsAgent(_ request: RunningRequest, _ gathering: Gathering) -> Bool {
    let asked = request.pending.request
    guard asked.usesAgent, asked.promptsWithoutAgent else { return asked.usesAgent }
    if case .canEvaluate = asked.operation { return false }
    return !request.lacksAgent && gathering.acceptsPresence
      && gathering.items.count <= Self.namesInDialog && !hasDialog(request.user)
  }

  /// One dialog of a user at a time: more would hide one another.
  private func hasDialog(_ user: UInt32) -> Bool {
    isAsking(user) || administrator.isAsking(user)
  }

  /// Whether a dialog about a person's presence waits.
  func isAsking(_ user: UInt32) -> Bool {
    running.values.contains { $0.user == user && $0.agent != nil }
  }

  /// What the dialog says that the program asks for.
  private static func wish(_ purpose: PromptPurpose, _ items: String) -> String {
    switch purpose {
    case .release, .other: items
    case .change: "a change of \(items)"
    case .rearm: "a binding of \(items) to your fingerprints as they are now"
    case .use: "a use of the key \(items)"
    }
  }

  func askAgent(_ request: RunningRequest, _ gathering: Gathering) {
    guard gathering.acceptsPresence, gathering.items.count <= Self.namesInDialog else {
      return fail(request, Failure(.interactionNotAllowed))
    }
    guard request.agent == nil, !hasDialog(request.user) else {
      return fail(request, Failure(.busy, detail: Array("another dialog waits".utf8)))
    }
    if case .canEvaluate = request.pending.request.operation {
      // Whether there is an agent is found out by asking alone.
      return fail(request, Failure(.interactionNotAllowed))
    }
    request.wasUnlocked = host.facts(for: request.subject).isUnlocked
    let items = gathering.items.map { displayText($0) }.joined(separator: ", ")
    request.agent = authenticators.verifyPresence(
      of: request.subject,
      PresenceQuestion(
        program: displayText(request.program),
        item: items.isEmpty
          ? "your presence" : Self.wish(request.pending.request.operation.purpose, items))
    ) { [weak self, weak request] outcome in
      guard let self, let request, !request.isOver else { return }
      request.agent = nil
      switch outcome {
      case .verified: verified(request, .presence)
      case .refused: fail(request, Failure(.authenticationFailed))
      case .timedOut: fail(request, Failure(.timedOut))
      case .unavailable(let failure):
        guard failure.code == .interactionNotAllowed, request.pending.request.promptsWithoutAgent
        else { return fail(request, failure) }
        request.lacksAgent = true
        gather(request, gathering)
      }
    }
  }
}
