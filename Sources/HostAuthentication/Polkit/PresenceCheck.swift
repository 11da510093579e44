/// A question to a person's desktop that goes on.
public final class PresenceCheck {
  private let authority: PolkitAuthority
  let cancellation: String
  /// The unique name that every answer must come from.
  var owner: String?
  private var completion: ((PresenceOutcome) -> Void)?

  init(
    authority: PolkitAuthority, cancellation: String,
    completion: @escaping (PresenceOutcome) -> Void
  ) {
    self.authority = authority
    self.cancellation = cancellation
    self.completion = completion
  }

  var isOver: Bool { completion == nil }

  /// Takes the dialog away; no answer comes.
  public func cancel() {
    guard !isOver else { return }
    completion = nil
    authority.cancel(self)
  }

  func finish(_ outcome: PresenceOutcome) {
    let report = completion
    completion = nil
    report?(outcome)
  }
}
