import Wire

@testable import WhorlClient

extension FuzzTarget {
  /// A server's message; what a prompt in it writes on the terminal.
  static let promptText = FuzzTarget(name: "prompt-text") { bytes in
    guard case .step(let step)? = try? ServerMessage(bytes) else { return }
    switch step {
    case .armed: break
    case .queued(let program, let item):
      try requireLines(1, PromptText.queued(program: program, item: item))
    case .notice(_, let notice): try requireLines(0, PromptText.notice(notice))
    case .show(let prompt):
      let items = prompt.items.count > 1 ? prompt.items.count : 0
      let others = (prompt.reason.isEmpty ? 0 : 1) + (prompt.reuse == 0 ? 0 : 1)
      try requireLines(1 + items + others, PromptText.introduction(prompt))
      try requireLines(0, PromptText.question(prompt.factors))
    }
  }

  /// As many lines as are ours, so that no text from outside begins one.
  private static func requireLines(_ count: Int, _ text: String) throws {
    try requireDisplayable(text, "a prompt")
    try require(
      text.unicodeScalars.count { $0 == "\n" } == count, "every line of a prompt is our own")
  }
}
