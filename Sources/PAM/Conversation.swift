import CPAM
import Glibc
import SecretMemory

/// Answers one message of a module. For a prompt `nil` ends the conversation; for a text the result
/// is ignored. Runs on the thread that called PAM.
public typealias Conversation = (PromptStyle, String) -> SecretBytes?

/// The `appdata_ptr` of a transaction.
final class ConversationBox {
  private let answer: Conversation

  init(_ answer: @escaping Conversation) {
    self.answer = answer
  }

  static let callback:
    @convention(c) (
      Int32, UnsafeMutablePointer<UnsafePointer<pam_message>?>?,
      UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?, UnsafeMutableRawPointer?
    ) -> Int32 = { count, messages, responses, context in
      guard let context = unsafe context, let messages = unsafe messages,
        count > 0, count <= PAM_MAX_NUM_MSG
      else { return PAM_CONV_ERR }
      // SAFETY: `context` is the box owned by the transaction, which outlives every PAM call;
      // libpam hands over `count` message pointers.
      let box = unsafe Unmanaged<ConversationBox>.fromOpaque(context).takeUnretainedValue()
      return unsafe box.converse(
        UnsafeBufferPointer(start: messages, count: Int(count)), responses)
    }

  /// All or nothing: libpam gets a full array of responses, or none and an error.
  private func converse(
    _ messages: UnsafeBufferPointer<UnsafePointer<pam_message>?>,
    _ responses: UnsafeMutablePointer<UnsafeMutablePointer<pam_response>?>?
  ) -> Int32 {
    // SAFETY: calloc gives zeroed responses, whose text pointers are null; libpam frees them.
    guard
      let answers = unsafe calloc(messages.count, MemoryLayout<pam_response>.stride)?
        .bindMemory(to: pam_response.self, capacity: messages.count)
    else { return PAM_BUF_ERR }
    for index in messages.indices {
      guard let message = unsafe messages[index],
        let style = unsafe PromptStyle(message.pointee.msg_style)
      else {
        unsafe Self.wipe(answers, count: messages.count)
        return PAM_CONV_ERR
      }
      let secret = answer(style, unsafe Self.text(of: message))
      guard style.isPrompt else { continue }
      // Some modules ask without a place for the answer (seen with texts only).
      guard unsafe responses != nil, let secret, let copy = unsafe Self.copy(secret) else {
        unsafe Self.wipe(answers, count: messages.count)
        return PAM_CONV_ERR
      }
      unsafe answers[index].resp = unsafe copy
    }
    if let responses = unsafe responses {
      unsafe responses.pointee = unsafe answers
    } else {
      unsafe Self.wipe(answers, count: messages.count)
    }
    return PAM_SUCCESS
  }

  /// Module texts are for people: bounded, and repaired where they are not UTF-8.
  private static func text(of message: UnsafePointer<pam_message>) -> String {
    guard let text = unsafe message.pointee.msg else { return "" }
    // SAFETY: a module's message is a C string; no more than the protocol's maximum is read.
    let count = unsafe strnlen(text, Int(PAM_MAX_MSG_SIZE))
    return unsafe text.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
      unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
  }

  /// A C string for libpam, which owns it from then on. `nil` when the secret cannot be one.
  private static func copy(_ secret: SecretBytes) -> UnsafeMutablePointer<CChar>? {
    unsafe secret.withBytes { (bytes: Span<UInt8>) -> UnsafeMutablePointer<CChar>? in
      // A zero byte would silently shorten the secret to its beginning.
      guard bytes.count < Int(PAM_MAX_RESP_SIZE),
        !bytes.indices.contains(where: { bytes[$0] == 0 })
      else { return nil }
      // SAFETY: room for the bytes and the final zero that calloc wrote.
      guard
        let copy = unsafe calloc(bytes.count + 1, 1)?
          .bindMemory(to: CChar.self, capacity: bytes.count + 1)
      else { return nil }
      for index in bytes.indices {
        unsafe copy[index] = CChar(bitPattern: bytes[index])
      }
      return unsafe copy
    }
  }

  private static func wipe(_ answers: UnsafeMutablePointer<pam_response>, count: Int) {
    for index in 0..<count {
      guard let text = unsafe answers[index].resp else { continue }
      // SAFETY: texts stored here come from `copy`, so they are zero-terminated and ours.
      unsafe explicit_bzero(text, strlen(text))
      unsafe free(text)
    }
    unsafe free(answers)
  }
}
