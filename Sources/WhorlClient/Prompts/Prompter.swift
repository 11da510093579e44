import AccessControl
import SecretMemory
import Wire

/// How a client shows prompts to the person and takes answers.
///
/// Every call comes from the thread that runs the request, between waits; none may wait itself.
/// While a prompt is on, the thread polls the prompter's descriptors together with the socket, so
/// a touch and a typed password are live at the same time.
public protocol Prompter: AnyObject, Sendable {
  /// The prompter of one request. Itself, unless several threads may ask at a time.
  func forRequest() -> any Prompter

  /// Whether a person can be asked at all. Without, requests go out as not allowing interaction.
  var isAvailable: Bool { get }

  /// Whether the authentication agent of the person's desktop is to ask where it can.
  var leavesToAgent: Bool { get }

  /// Whether ``show(_:)`` only begins to show, and an input says whether the prompt is there.
  var confirmsLater: Bool { get }

  /// Another request is at the head: a touch now serves that one, so ask for none.
  func queued(program: [UInt8], item: [UInt8])

  /// Shows the prompt, or the next one of the same request.
  ///
  /// - Returns: false when it cannot be shown; the request is cancelled then, and no reader armed.
  func show(_ prompt: Prompt) -> Bool

  /// The reader waits for a finger now.
  func armed()

  func notice(_ notice: Notice)

  /// What to poll for reading. May change after every call.
  var descriptors: [Int32] { get }

  /// One of the descriptors can be read.
  func input(at descriptor: Int32) -> PromptInput

  /// The request is over, however; called once after the first `queued` or `show`.
  func end()
}

extension Prompter {
  public func forRequest() -> any Prompter { self }
  public var leavesToAgent: Bool { false }
  public var confirmsLater: Bool { false }
}

/// What the person did.
public enum PromptInput: Sendable {
  /// Nothing yet.
  case nothing
  /// What was typed for the prompt of this number. Where nothing said before that the prompt is on
  /// the screen, this says it, and whether it asks for a touch as well.
  case answer(UInt32, Factor, SecretBytes, asksForTouch: Bool = false)
  case cancel
  /// The prompt of this number is on the person's screen; a touchless one asks for no touch, and the
  /// reader is not armed for it.
  case shown(UInt32, isTouchless: Bool = false)
  /// No prompt can be shown, or none any more.
  case cannotShow
  /// The process was stopped and goes on now. The service drops a prompt that nobody sees, so the
  /// request is made anew.
  case resumed
}
