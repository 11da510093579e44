import AccessControl
import Linux
import SecretMemory
import Wire

/// Asks on the controlling terminal, never on a standard stream.
///
/// While a prompt is on, nothing typed is echoed, and the signals that would end or stop the
/// process are read instead of taken, so that the terminal is always given back as it was: Ctrl-C
/// cancels, Ctrl-Z stops with echo on. For a program that asks from one thread.
public final class TerminalPrompter: Prompter, @unchecked Sendable {
  // Unchecked: a prompter is called by the thread of the running request alone.
  private var terminal: ControllingTerminal?
  private var turn: TerminalTurn?
  private var signals: SignalDescriptor?
  private var line: SecretLine?
  private var prompt: Prompt?
  /// A password was sent and is being checked; what is typed meanwhile waits in the terminal.
  private var isChecking = false

  public init() {
    terminal = ControllingTerminal()
  }

  public var isAvailable: Bool { terminal != nil }

  public func queued(program: [UInt8], item: [UInt8]) {
    // Where another thread asks, the prompt is there for all to see.
    guard let terminal, begin(terminal, waiting: 0) else { return }
    if prompt != nil { write("\n") }
    prompt = nil
    write(PromptText.queued(program: program, item: item))
  }

  public func show(_ prompt: Prompt) -> Bool {
    guard let terminal, begin(terminal, waiting: 1500) else { return false }
    if self.prompt != nil { write("\n") }
    let isNext = self.prompt?.items == prompt.items && self.prompt?.program == prompt.program
    self.prompt = prompt
    isChecking = false
    line?.clear()
    return write((isNext ? "" : PromptText.introduction(prompt)) + question)
  }

  public func armed() {}

  public func notice(_ notice: Notice) {
    switch notice.kind {
    case .wrongPasscode, .wrongApplicationPassword: isChecking = false
    case .biometryEnded: prompt?.factors.removeAll { $0 == .biometry }
    case .noMatch, .retryScan, .liftFirst, .hiddenHeadDropped: break
    }
    // After a wrong password of the item the prompt is shown anew.
    let isAsked = !isChecking && notice.kind != .wrongApplicationPassword
    write("\n" + PromptText.notice(notice) + "\n" + (isAsked ? question : ""))
  }

  public var descriptors: [Int32] {
    var descriptors: [Int32] = []
    if let signals { descriptors.append(signals.descriptor) }
    if let terminal, line != nil, !isChecking { descriptors.append(terminal.descriptor) }
    return descriptors
  }

  public func input(at descriptor: Int32) -> PromptInput {
    if let signals, descriptor == signals.descriptor { return signal(signals) }
    return typed()
  }

  public func end() {
    if prompt != nil { write("\n") }
    terminal?.restore()
    line = nil
    prompt = nil
    isChecking = false
    signals = nil
    turn = nil
  }

  private var question: String { prompt.map { PromptText.question($0.factors) } ?? "" }

  /// Takes the signals and hides the input, once for all prompts of a request.
  private func begin(_ terminal: ControllingTerminal, waiting milliseconds: Int64) -> Bool {
    if turn == nil { turn = TerminalTurn(waiting: milliseconds) }
    guard turn != nil else { return false }
    if signals == nil { signals = try? SignalDescriptor.command() }
    guard signals != nil else { return false }
    if line == nil { line = terminal.hideInput().flatMap { SecretLine(keys: TypingKeys($0)) } }
    return line != nil
  }

  private func signal(_ signals: SignalDescriptor) -> PromptInput {
    guard let signal = signals.next() else { return .nothing }
    guard signal == SignalDescriptor.stop else { return .cancel }
    write("\n")
    terminal?.restore()
    signals.stopSelf()
    _ = terminal?.hideInput()
    line?.clear()
    write(question)
    return .nothing
  }

  private func typed() -> PromptInput {
    guard let terminal, let byte = try? SecretBytes(count: 1) else { return .cancel }
    let count = byte.withMutableBytes {
      BlockingStream(terminal.descriptor).read(into: &$0)
    }
    // The terminal is gone: nobody can answer any more.
    guard count == 1 else { return .cancel }
    switch line?.take(byte.withBytes { $0[0] }) {
    case .none, .ended: return .cancel
    case .more: return .nothing
    case .complete(let secret):
      guard let factor = prompt?.factors.typed, secret.count > 0 else {
        // Enter alone is no password, and costs no try.
        write("\n" + question)
        return .nothing
      }
      isChecking = true
      return .answer(factor, secret)
    }
  }

  @discardableResult
  private func write(_ text: String) -> Bool {
    guard let terminal else { return false }
    return BlockingStream(terminal.descriptor).write(text)
  }
}

extension TerminalPrompter {
  /// Asks for a secret with nothing echoed, on its own.
  ///
  /// - Returns: nil when there is no terminal, or the person cancelled.
  public func readSecret(_ question: String) -> SecretBytes? {
    guard let terminal, begin(terminal, waiting: 1500) else { return nil }
    defer { end() }
    write(question)
    defer { write("\n") }
    while true {
      let descriptors = [signals?.descriptor ?? -1, terminal.descriptor]
      guard let ready = Readiness.wait(descriptors, milliseconds: -1).first else { continue }
      if ready == 0, let signals {
        if case .cancel = signal(signals) { return nil }
        write(question)
        continue
      }
      guard let byte = try? SecretBytes(count: 1) else { return nil }
      let count = byte.withMutableBytes {
        BlockingStream(terminal.descriptor).read(into: &$0)
      }
      guard count == 1 else { return nil }
      switch line?.take(byte.withBytes { $0[0] }) {
      case .none, .ended: return nil
      case .more: continue
      case .complete(let secret): return secret
      }
    }
  }
}

extension TypingKeys {
  init(_ keys: ControllingTerminal.Keys) {
    self.init(erase: keys.erase, kill: keys.kill, end: keys.end)
  }
}

extension [Factor] {
  /// The factor that typed text answers.
  fileprivate var typed: Factor? {
    contains(.devicePasscode)
      ? .devicePasscode : contains(.applicationPassword) ? .applicationPassword : nil
  }
}
