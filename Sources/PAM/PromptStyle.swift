import CPAM

/// What a module wants when it speaks.
public enum PromptStyle: Sendable, Equatable {
  /// An answer that must not be shown while typed.
  case echoOff
  case echoOn
  /// Text to show; no answer.
  case info
  /// Text to show as a problem; no answer.
  case error

  init?(_ style: Int32) {
    switch style {
    case PAM_PROMPT_ECHO_OFF: self = .echoOff
    case PAM_PROMPT_ECHO_ON: self = .echoOn
    case PAM_TEXT_INFO: self = .info
    case PAM_ERROR_MSG: self = .error
    default: return nil
    }
  }

  /// Whether an answer is expected.
  public var isPrompt: Bool { self == .echoOff || self == .echoOn }
}
