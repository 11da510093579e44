import AccessControl
import Linux
import SecretMemory
import Wire

/// Asks on the controlling terminal, never on a standard stream.
///
/// While a prompt is on, nothing typed is echoed, and the signals that would end or stop the
/// process are read instead of taken, so that the terminal is always given back as it was: Ctrl-C
/// cancels, Ctrl-Z stops with echo on. In the background nobody is asked, since the terminal is
/// another program's. For a program that asks from one thread.
public final class TerminalPrompter: Prompter, @unchecked Sendable {
  // Unchecked: a prompter is called by the thread of the running request alone.
  private(set) var terminal: ControllingTerminal?
  private var turn: TerminalTurn?
  private(set) var signals: SignalDescriptor?
  private var line: SecretLine?
  private var prompt: Prompt?
  /// A password was sent and is being checked; what is typed meanwhile waits in the terminal.
  private var isChecking = false

  public init() {
    terminal = ControllingTerminal()
  }

  public var isAvailable: Bool { terminal?.isForeground ?? false }

  /// A program of a desktop has no terminal at all.
  public var leavesToAgent: Bool { terminal == nil }

  /// Whether there is a terminal, which another program has now.
  public var isInBackground: Bool { terminal.map { !$0.isForeground } ?? false }

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
    let text = PromptText.notice(notice, isAnswer: isChecking)
    switch notice.kind {
    case .wrongPasscode, .passcodeNotTried, .wrongApplicationPassword: isChecking = false
    case .biometryEnded: prompt?.factors.removeAll { $0 == .biometry }
    case .noMatch, .retryScan, .liftFirst, .hiddenHeadDropped: break
    }
    // After a wrong password of the item the prompt is shown anew.
    let isAsked = !isChecking && notice.kind != .wrongApplicationPassword
    write("\n" + text + "\n" + (isAsked ? question : ""))
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
  func begin(_ terminal: ControllingTerminal, waiting milliseconds: Int64) -> Bool {
    if turn == nil { turn = TerminalTurn(waiting: milliseconds) }
    guard turn != nil, terminal.isForeground else { return false }
    if signals == nil { signals = try? SignalDescriptor.command() }
    guard signals != nil else { return false }
    if line == nil { line = terminal.hideInput().flatMap { SecretLine(keys: TypingKeys($0)) } }
    return line != nil
  }

  func signal(_ signals: SignalDescriptor) -> PromptInput {
    switch signals.nextMeaning() {
    case nil: return .nothing
    case .end: return .cancel
    case .goOn: return resumed(signals)
    case .stop:
      if line != nil { write("\n") }
      terminal?.restore()
      signals.stopSelf()
      return resumed(signals)
    }
  }

  /// What was on the terminal before a stop is void, and what is typed there now is not for a
  /// prompt until one is shown again.
  private func resumed(_ signals: SignalDescriptor) -> PromptInput {
    prompt = nil
    line = nil
    isChecking = false
    while let signal = signals.nextMeaning() {
      if signal == .end { return .cancel }
    }
    return .resumed
  }

  private func typed() -> PromptInput {
    guard let terminal else { return .cancel }
    switch key(terminal) {
    case .none, .ended: return .cancel
    case .more: return .nothing
    case .tooLong:
      write("\nThat is longer than any password.\n" + question)
      return .nothing
    case .complete(let secret):
      guard let prompt, let factor = prompt.factors.typed, secret.count > 0 else {
        // Enter alone is no password, and costs no try.
        write("\n" + question)
        return .nothing
      }
      isChecking = true
      return .answer(prompt.id, factor, secret)
    }
  }

  /// Takes one byte of the line that is typed; nil when the terminal is gone, so that nobody can
  /// answer any more.
  func key(_ terminal: ControllingTerminal) -> SecretLine.Outcome? {
    guard let byte = try? SecretBytes(count: 1) else { return nil }
    let count = byte.withMutableBytes {
      BlockingStream(terminal.descriptor).read(into: &$0)
    }
    guard count == 1 else { return nil }
    return line?.take(byte.withBytes { $0[0] })
  }

  @discardableResult
  func write(_ text: String) -> Bool {
    guard let terminal else { return false }
    return BlockingStream(terminal.descriptor).write(text)
  }
}

extension TypingKeys {
  init(_ keys: ControllingTerminal.Keys) {
    self.init(erase: keys.erase, kill: keys.kill, end: keys.end)
  }
}
