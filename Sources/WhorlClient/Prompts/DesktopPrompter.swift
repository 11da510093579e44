import Linux
import SecretMemory
import Wire

/// Asks on the person's desktop, for a program without a terminal: a helper, `whorl-prompt`, shows a
/// notification, and pinentry where a password may be typed.
///
/// The helper is started for the first prompt of a request and ends with the request. It gets the
/// service's steps as they came, and sends what a client sends.
public final class DesktopPrompter: Prompter, @unchecked Sendable {
  // Unchecked: a prompter is called by the thread of the running request alone.
  private static let name = "whorl-prompt"
  /// Milliseconds for the rest of a message whose beginning has arrived.
  private static let patience: Int64 = 500

  private let program: [UInt8]
  private var helper: HelperProcess?
  private var connection: SocketConnection?

  /// nil where there is no desktop to ask on, or no helper to ask with.
  public init?() {
    guard Desktop.isThere, let program = HelperProcess.find(Self.name) else { return nil }
    self.program = program
  }

  /// - Parameter program: the helper's path.
  package init(program: [UInt8]) {
    self.program = program
  }

  public var isAvailable: Bool { true }
  public var leavesToAgent: Bool { true }
  public var confirmsLater: Bool { true }

  public func queued(program: [UInt8], item: [UInt8]) {
    _ = tell(.queued(program: program, item: item))
  }

  public func show(_ prompt: Prompt) -> Bool { tell(.show(prompt)) }

  public func armed() {}

  public func notice(_ notice: Notice) { _ = tell(.notice(prompt: 0, notice)) }

  public var descriptors: [Int32] { helper.map { [$0.socket.descriptor] } ?? [] }

  /// Takes all that the helper has sent, so that nothing waits unseen: a cancel and an answer say
  /// more than that the prompt is there.
  public func input(at descriptor: Int32) -> PromptInput {
    guard let connection else { return .cannotShow }
    var input = PromptInput.nothing
    var secret: SecretBytes?
    /// The prompt that asks for a touch.
    var touchable: UInt32?
    do throws(KeychainError) {
      while true {
        let isPartial = secret != nil
        let isFirst = if case .nothing = input { true } else { false }
        let limit = isPartial || isFirst ? Self.patience : 0
        guard
          case .frame(let frame) = try connection.receive(
            watching: [], until: SteadyClock.milliseconds() + limit)
        else { return isPartial || isFirst ? .cannotShow : input }
        switch frame {
        case .secret(let bytes): secret = bytes
        case .message(let bytes):
          guard let message = try? ClientMessage(bytes) else { return .cannotShow }
          switch message {
          case .cancel: return .cancel
          case .shown(let prompt, let isTouchless):
            touchable = isTouchless ? nil : prompt
            input = .shown(prompt, isTouchless: isTouchless)
          case .answer(let prompt, let factor):
            guard let typed = secret else { return .cannotShow }
            secret = nil
            input = .answer(prompt, factor, typed, asksForTouch: touchable == prompt)
          case .hello, .request, .invalidate, .form, .giveUp: return .cannotShow
          }
        }
      }
    } catch { return .cannotShow }
  }

  public func end() {
    helper?.end()
    helper = nil
    connection = nil
  }

  private func tell(_ step: PromptStep) -> Bool {
    if helper == nil {
      helper = try? HelperProcess(program)
      connection = helper.map { SocketConnection($0.socket) }
    }
    guard let connection else { return false }
    return (try? connection.send([.message(ServerMessage.step(step).encoded)])) != nil
  }
}
