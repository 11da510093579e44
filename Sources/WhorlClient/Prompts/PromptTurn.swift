import AccessControl
import Linux
import SecretMemory
import Wire

/// The prompts of one request: steps in, frames out. It waits for nothing.
struct PromptTurn {
  private let prompter: any Prompter
  private let cancels: [Int32]
  private let mayAsk: Bool
  private var applicationPassword: SecretBytes?
  private var prompt: Prompt?
  private var isShowing = false
  /// The service knows that the prompt is shown.
  private var isConfirmed = false
  /// Set once the request is to end: nothing it still releases is used.
  private(set) var cancelled: KeychainError?
  /// The process was stopped while it asked, and goes on: what was asked is void.
  private(set) var wasStopped = false

  init(_ call: Exchange.Call) {
    prompter = call.prompter
    cancels = call.cancels.map(\.descriptor)
    applicationPassword = call.applicationPassword
    mayAsk = call.prompter.isAvailable && call.request.allowsInteraction
  }

  var descriptors: [Int32] {
    isShowing ? cancels + prompter.descriptors : cancels
  }

  mutating func take(_ step: PromptStep) -> [Frame] {
    switch step {
    case .queued(let program, let item):
      guard mayAsk else { return [] }
      prompt = nil
      isShowing = true
      prompter.queued(program: program, item: item)
    case .show(let prompt): return show(prompt)
    case .armed(let id):
      if isShowing, id == prompt?.id { prompter.armed() }
    case .notice(let id, let notice):
      // A request that waits in the queue has no prompt yet to hear it by.
      let isOwn = id == prompt?.id || (prompt == nil && notice.kind == .hiddenHeadDropped)
      if isShowing, isOwn { prompter.notice(notice) }
    }
    return []
  }

  private mutating func show(_ prompt: Prompt) -> [Frame] {
    self.prompt = prompt
    isConfirmed = false
    // The password that the program holds needs no person, so nothing is shown for it. It is
    // given once: a wrong one is not tried for ever.
    if prompt.factors == [.applicationPassword], let password = applicationPassword {
      applicationPassword = nil
      return confirm(prompt) + answer(prompt, .applicationPassword, password)
    }
    guard mayAsk else { return end(KeychainError(.interactionNotAllowed)) }
    isShowing = true
    guard prompter.show(prompt) else { return end(KeychainError(.interactionNotAllowed)) }
    return prompter.confirmsLater ? [] : confirm(prompt)
  }

  private mutating func confirm(_ prompt: Prompt, isTouchless: Bool = false) -> [Frame] {
    guard !isConfirmed else { return [] }
    isConfirmed = true
    return [
      .message(ClientMessage.shown(prompt: prompt.id, isTouchless: isTouchless).encoded)
    ]
  }

  mutating func input(at descriptor: Int32) -> [Frame] {
    if cancels.contains(descriptor) {
      return end(KeychainError(.cancelled, cause: .appCancel))
    }
    switch prompter.input(at: descriptor) {
    case .nothing: return []
    case .cancel: return end(KeychainError(.cancelled, cause: .userCancel))
    case .resumed:
      wasStopped = true
      return [.message(ClientMessage.cancel.encoded)]
    case .answer(let id, let factor, let secret, let asksForTouch):
      // What was typed for an earlier prompt is no answer to this one.
      guard let prompt, prompt.id == id, prompt.factors.contains(factor) else { return [] }
      // What was answered was seen; not that it asks for a touch.
      let isTouchless = prompt.factors.contains(.biometry) && !asksForTouch
      return confirm(prompt, isTouchless: isTouchless) + answer(prompt, factor, secret)
    case .shown(let id, let isTouchless):
      guard let prompt, prompt.id == id else { return [] }
      return confirm(prompt, isTouchless: isTouchless)
    case .cannotShow: return end(KeychainError(.interactionNotAllowed))
    }
  }

  private func answer(_ prompt: Prompt, _ factor: Factor, _ secret: SecretBytes) -> [Frame] {
    [.secret(secret), .message(ClientMessage.answer(prompt: prompt.id, factor).encoded)]
  }

  /// Ends the request for this reason, and tells the service, whose record names it.
  mutating func end(_ error: KeychainError) -> [Frame] {
    guard cancelled == nil else { return [] }
    cancelled = error
    end()
    // An item that the keyring lost is not damaged where the service keeps it.
    let reason = error.keyring == .missing ? .notCurrent : error.code
    let message: ClientMessage =
      ClientMessage.reasons.contains(reason) ? .giveUp(reason) : .cancel
    return [.message(message.encoded)]
  }

  /// Whether the process was stopped, which it may hear of only after the end of a prompt that
  /// nobody saw meanwhile.
  mutating func heardOfStop(before message: ServerMessage) -> Bool {
    guard message.isEndOfPrompt, isShowing, cancelled == nil,
      let first = Readiness.wait(descriptors, milliseconds: 0).first
    else { return false }
    _ = input(at: descriptors[first])
    return wasStopped
  }

  /// The same for a request that is made anew. The person may not be there to be asked any more.
  mutating func start(anew call: inout Exchange.Call) {
    let wasShowing = isShowing
    if !call.prompter.isAvailable, call.applicationPassword == nil {
      call.request.allowsInteraction = false
    }
    self = PromptTurn(call)
    isShowing = wasShowing
  }

  /// Gives the terminal back before anything else is said.
  mutating func end() {
    if isShowing { prompter.end() }
    isShowing = false
  }
}

extension ServerMessage {
  /// Whether the request ended without an act of the person.
  var isEndOfPrompt: Bool {
    guard case .failed(let failure) = self else { return false }
    return failure.code == .timedOut || failure.code == .cancelled
  }
}
