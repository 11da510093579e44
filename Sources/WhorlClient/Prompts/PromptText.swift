import AccessControl
import Wire

/// The words of a prompt. Everything from outside goes through `displayText`.
package enum PromptText {
  package static func introduction(_ prompt: Prompt) -> String {
    let program = displayText(prompt.program)
    var text = ""
    if prompt.items.isEmpty {
      text += "\(program) (unverified) asks you to confirm that you are here.\n"
    } else if prompt.items.count == 1 {
      text += "\(program) (unverified) asks \(request(prompt.purpose, prompt.items[0])).\n"
    } else {
      text += "\(program) (unverified) asks for \(prompt.items.count) items at once:\n"
      for item in prompt.items { text += "  \(displayText(item))\n" }
    }
    if !prompt.reason.isEmpty { text += "It says: \(displayText(prompt.reason))\n" }
    if prompt.reuse > 0, prompt.reusesInContext {
      text +=
        "This also serves what the program asks for next, for \(seconds(prompt.reuse)) at most.\n"
    } else if prompt.reuse > 0 {
      text += "This also serves later requests for \(seconds(prompt.reuse)).\n"
    }
    return text
  }

  private static func request(_ purpose: PromptPurpose, _ item: [UInt8]) -> String {
    let item = displayText(item)
    return switch purpose {
    case .release, .other: "for \(item)"
    case .change: "to change \(item)"
    case .rearm: "to bind \(item) to your fingerprints as they are now"
    case .use: "to use the key \(item)"
    }
  }

  static func question(_ factors: [Factor]) -> String { request(factors) + ": " }

  /// What is to be done, as a headline has it.
  package static func request(_ factors: [Factor]) -> String {
    let typed =
      factors.contains(.devicePasscode)
      ? "type your password" : "type the password of the item itself"
    let canType = factors.contains { $0 != .biometry }
    if !factors.contains(.biometry) {
      return typed.prefix(1).uppercased() + typed.dropFirst()
    }
    return canType
      ? "Touch the fingerprint reader, or \(typed)" : "Touch the fingerprint reader"
  }

  package static func queued(program: [UInt8], item: [UInt8]) -> String {
    "\(displayText(program)) asks for \(displayText(item)) first: a touch now serves that.\n"
  }

  /// - Parameter isAnswer: whether a typed password waits for an answer.
  package static func notice(_ notice: Notice, isAnswer: Bool = false) -> String {
    switch notice.kind {
    case .noMatch: "The finger does not match. Try again."
    case .retryScan: "The reader saw too little. Try again."
    case .liftFirst: "Lift your finger, then touch again."
    case .wrongPasscode where notice.seconds > 0:
      "Wrong password. The next one is tried after \(seconds(notice.seconds))."
    case .wrongPasscode: "Wrong password."
    case .passcodeNotTried where isAnswer:
      "Not tried: passwords are tried again in \(seconds(notice.seconds))."
    case .passcodeNotTried: "Passwords are tried again in \(seconds(notice.seconds))."
    case .wrongApplicationPassword: "Wrong password of the item."
    case .biometryEnded: "The reader takes no further touch; your password still opens."
    case .hiddenHeadDropped: "The request before did not show its prompt and was dropped."
    }
  }

  static func seconds(_ count: UInt32) -> String {
    count == 1 ? "1 second" : "\(count) seconds"
  }
}
