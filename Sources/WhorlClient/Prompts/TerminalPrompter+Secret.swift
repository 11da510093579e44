import Linux
import SecretMemory
import Wire

/// A secret that a person typed.
public enum TypedSecret: Sendable {
  case secret(SecretBytes)
  /// More than ``limit`` bytes.
  case tooLong
  case cancelled
  /// There is no terminal, or it is another program's.
  case nobody

  /// The longest line that is taken, in bytes.
  public static let limit = SecretLine.limit
}

extension TerminalPrompter {
  /// Asks for a secret with nothing echoed, on its own.
  public func readSecret(_ question: String) -> TypedSecret {
    defer { end() }
    while true {
      guard let terminal, begin(terminal, waiting: 1500), let signals else { return .nobody }
      write(question)
      if let typed = line(terminal, signals) {
        if terminal.isForeground { write("\n") }
        return typed
      }
    }
  }

  /// - Returns: nil after a stop, when the question must be asked again.
  private func line(_ terminal: ControllingTerminal, _ signals: SignalDescriptor) -> TypedSecret? {
    while true {
      let descriptors = [signals.descriptor, terminal.descriptor]
      guard let ready = Readiness.wait(descriptors, milliseconds: -1).first else { continue }
      if ready == 0 {
        switch signal(signals) {
        case .cancel: return .cancelled
        case .resumed: return nil
        case .nothing, .answer, .shown, .cannotShow: continue
        }
      }
      switch key(terminal) {
      case .none, .ended: return .cancelled
      case .more: continue
      case .tooLong: return .tooLong
      case .complete(let secret): return .secret(secret)
      }
    }
  }
}
