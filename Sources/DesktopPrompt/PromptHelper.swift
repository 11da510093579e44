import AccessControl
import Linux
import SecretMemory
import WhorlClient
import Wire

/// Shows the prompts of one request on the desktop. Steps of the service come in by its client, and
/// what a client says goes out; the end of the connection is the end of the request.
public final class PromptHelper {
  /// Names that a notification and a dialog show without cutting any; what is not named is not asked
  /// for.
  private static let namesShown = 4
  /// Times that Enter alone, or what is too long, is asked about again.
  private static let voidAnswers = 5

  private let connection: SocketConnection
  private let notification = DesktopNotification(address: Desktop.busAddress)
  private var pinentry: Pinentry?
  private var prompt: Prompt?
  private var isConfirmed = false
  /// Nothing here shows that a touch is asked for, so only a password is.
  private var isTouchless = false
  /// There is no pinentry.
  private var hasNoDialog = false
  private var hasAsked = false
  /// What pinentry is to say of the last password.
  private var problem = ""
  /// The last notice, in a line of its own.
  private var news = ""
  private var voidAnswers = 0
  private var isOver = false

  public init(_ socket: StreamSocket) {
    connection = SocketConnection(socket)
  }

  /// Returns at the end of the request, or when nothing can be shown.
  public func run() {
    defer {
      // The client hears of the end first: it need not wait for others to go.
      connection.close()
      notification.close()
      pinentry?.end()
    }
    while !isOver {
      let delay = [notification.delay, pinentry?.delay].compactMap { $0 }.min() ?? Int64(Int32.max)
      let watched = [notification.descriptor, pinentry?.descriptor].compactMap { $0 }
      guard
        let arrival = try? connection.receive(
          watching: watched, until: SteadyClock.milliseconds() + max(1, delay))
      else { return }
      switch arrival {
      case .frame(.message(let bytes)):
        guard case .step(let step)? = try? ServerMessage(bytes) else { return }
        take(step)
      case .frame(.secret): return
      case .readable(let descriptor) where descriptor == pinentry?.descriptor: typed()
      case .readable, .timedOut: break
      }
      notification.process()
      pinentry?.expire()
      // A dialog that still asks says all that the notification said.
      if notification.isCancelled || (notification.state == .closed && !canType) { cancel() }
      settle()
    }
  }

  private func take(_ step: PromptStep) {
    switch step {
    case .queued(let program, let item):
      prompt = nil
      notification.show(
        summary: "Another request waits for you",
        body: PromptText.queued(program: program, item: item))
    case .show(let prompt): show(prompt)
    case .armed: break
    case .notice(_, let notice): self.notice(notice)
    }
  }

  private func show(_ prompt: Prompt) {
    guard prompt.items.count <= Self.namesShown else {
      isOver = true
      return
    }
    self.prompt = prompt
    isConfirmed = false
    isTouchless = false
    hasAsked = false
    if prompt.factors.typed == nil || pinentry?.state != .idle && pinentry?.state != .failed {
      pinentry?.end()
      pinentry = nil
    }
    startDialog()
    askAtFirst()
    update()
  }

  /// Starts pinentry, which takes its time, while it is found out whether a touch can be asked for.
  private func startDialog() {
    guard prompt?.factors.typed != nil, pinentry == nil else { return }
    pinentry = Pinentry()
    hasNoDialog = pinentry == nil
  }

  /// Has the person asked for what can be typed, once it is known whether for a touch as well.
  private func askAtFirst() {
    guard !hasAsked, let factors = prompt?.factors, factors.typed != nil else { return }
    if factors.contains(.biometry) {
      if notification.state == .pending { return }
      if notification.state == .failed {
        isTouchless = true
        prompt?.factors.removeAll { $0 == .biometry }
      }
    }
    hasAsked = true
    ask()
  }

  /// Has the person asked for what can be typed, if anything can.
  private func ask() {
    guard let prompt, let factor = prompt.factors.typed, pinentry?.state != .failed else { return }
    let why = isTouchless ? " No touch is asked for, since nothing here shows notifications." : ""
    pinentry?.ask(
      PromptText.introduction(prompt) + PromptText.request(prompt.factors) + "." + why,
      label: factor == .devicePasscode ? "Password:" : "Password of the item:", problem: problem)
    problem = ""
  }

  private var canType: Bool {
    prompt?.factors.typed != nil && !hasNoDialog && pinentry?.state != .failed
  }

  private func update() {
    guard let prompt else { return }
    let factors = canType ? prompt.factors : prompt.factors.filter { $0 == .biometry }
    // Nothing is to be done then.
    guard !factors.isEmpty else { return }
    notification.show(
      summary: PromptText.request(factors), body: news + PromptText.introduction(prompt))
  }

  private func notice(_ notice: Notice) {
    let isAnswer = pinentry?.state == .idle
    let text = PromptText.notice(notice, isAnswer: isAnswer)
    news = text + "\n"
    switch notice.kind {
    case .wrongPasscode, .passcodeNotTried:
      problem = text
      if isAnswer { ask() }
    // The prompt is shown anew then.
    case .wrongApplicationPassword: problem = text
    case .biometryEnded: prompt?.factors.removeAll { $0 == .biometry }
    case .noMatch, .retryScan, .liftFirst, .hiddenHeadDropped: break
    }
    update()
  }

  private func typed() {
    switch pinentry?.input() {
    case nil: break
    case .typed(let secret):
      guard let prompt, let factor = prompt.factors.typed else { return }
      voidAnswers = 0
      if !isConfirmed {
        // The answer says that the prompt was seen, and no touch serves it any more.
        isConfirmed = true
        self.prompt?.factors.removeAll { $0 == .biometry }
        update()
      }
      send([
        .secret(secret), .message(ClientMessage.answer(prompt: prompt.id, factor).encoded),
      ])
    case .empty: askAgain("")
    case .tooLong: askAgain("That is longer than any password.")
    case .cancelled: cancel()
    }
  }

  /// What cannot be a password costs no try, but is not asked about for ever.
  private func askAgain(_ problem: String) {
    voidAnswers += 1
    guard voidAnswers <= Self.voidAnswers else { return cancel() }
    self.problem = problem
    ask()
  }

  private func cancel() {
    send([.message(ClientMessage.cancel.encoded)])
    isOver = true
  }

  /// Tells whether the prompt is there, or ends where nobody can see or answer it.
  private func settle() {
    askAtFirst()
    guard !isOver, let prompt else { return }
    let canTouch = prompt.factors.contains(.biometry)
    // The reader is not armed for what may not be seen: that pinentry was told to ask shows nothing.
    if canTouch ? notification.state == .failed : !canType {
      isOver = true
      return
    }
    if canTouch, prompt.factors.typed != nil, !canType {
      pinentry?.end()
      pinentry = nil
      // A dialog that is not there is not told of.
      self.prompt?.factors.removeAll { $0 != .biometry }
      update()
    }
    let isSeen = canTouch ? notification.state == .shown : pinentry?.state == .asking
    guard !isConfirmed, isSeen else { return }
    isConfirmed = true
    send([
      .message(ClientMessage.shown(prompt: prompt.id, isTouchless: isTouchless).encoded)
    ])
  }

  private func send(_ frames: [Frame]) {
    if (try? connection.send(frames)) == nil { isOver = true }
  }
}
