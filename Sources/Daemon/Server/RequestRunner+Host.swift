import Wire

/// What happens on the host while requests wait for a person.
extension RequestRunner {
  /// Everything that waits for a person ends: the host is about to suspend.
  func suspend() {
    desk.endAll(Failure(.busy, detail: Array("the host is about to suspend".utf8)))
  }

  /// Sessions changed: a lock ends the prompts that a locked session may not have.
  func sessionsChanged() {
    for request in desk.entries.map(\.request)
    where request.wasUnlocked && !host.facts(for: request.subject).isUnlocked {
      lookAgain(request)
    }
  }

  /// Prints changed while a finger was compared with them: whatever it finds, they were not the
  /// ones that were judged.
  func printsChanged(of user: [UInt8]?) {
    for entry in desk.entries
    where entry.finger != nil && (user ?? entry.owner) == entry.owner {
      lookAgain(entry.request)
    }
  }

  /// Judges anew what waits for a person, who is asked anew if it still stands.
  private func lookAgain(_ request: RunningRequest) {
    resume(request, .changed)
  }
}
