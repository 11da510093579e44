import CLinux
import CPAMModule

/// The transaction a module was called in.
@safe
struct Handle {
  /// Where the module notes that the password of this transaction came from the daemon.
  private static let releasedKey: StaticString = "whorl_released"

  private let raw: OpaquePointer

  init?(_ raw: OpaquePointer?) {
    // SAFETY: libpam's own, live for the length of the call that this value does not outlive.
    guard let raw = unsafe raw else { return nil }
    unsafe self.raw = unsafe raw
  }

  /// The account's name, asked for where nobody has said it yet.
  func user() -> [UInt8]? {
    var name: UnsafePointer<CChar>?
    // SAFETY: the handle is live; libpam owns the name, which is copied at once.
    guard unsafe pam_get_user(raw, &name, nil) == PAM_SUCCESS, let name = unsafe name else {
      return nil
    }
    guard let bytes = unsafe CText.bytes(name, limit: Login.textLimit), !bytes.isEmpty else {
      return nil
    }
    return bytes
  }

  /// An item that is text; empty when it is not set, nil when it is too long to be one.
  func text(_ item: Int32) -> [UInt8]? {
    guard let text = unsafe pointer(item) else { return [] }
    // SAFETY: the item is a C string of libpam's.
    return unsafe CText.bytes(text, limit: Login.textLimit)
  }

  /// Whether somebody has given a password in this transaction. An empty one is Return on an empty
  /// field, which is how some lockers are asked for a touch.
  var hasToken: Bool {
    // SAFETY: a C string of libpam's, of which the first byte is looked at.
    guard let token = unsafe pointer(PAM_AUTHTOK) else { return false }
    return unsafe token.pointee != 0
  }

  /// Calls `body` with the password of the transaction where it is, without a copy.
  func withToken<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let token = unsafe pointer(PAM_AUTHTOK) else { return nil }
    // SAFETY: a C string that stays libpam's for the length of the call.
    return unsafe body(UnsafeRawBufferPointer(start: token, count: strlen(token)))
  }

  /// Makes a released secret the password of the transaction, for the modules that follow.
  func set(token secret: borrowing ReceivedSecret) -> Bool {
    guard let text = unsafe secret.text else { return false }
    // SAFETY: libpam copies both; the mark is no address that anybody follows.
    guard unsafe pam_set_item(raw, PAM_AUTHTOK, text) == PAM_SUCCESS else { return false }
    return unsafe pam_set_data(
      raw, CText.pointer(Self.releasedKey), UnsafeMutableRawPointer(bitPattern: 1), nil)
      == PAM_SUCCESS
  }

  /// Whether the password of this transaction came from the daemon.
  var wasReleased: Bool {
    var data: UnsafeRawPointer?
    // SAFETY: the handle is live; the value is only looked for.
    return unsafe pam_get_data(raw, CText.pointer(Self.releasedKey), &data) == PAM_SUCCESS
  }

  /// Says what the person must know to act. PAM_SILENT, which sudo sets, is about other words: a
  /// reader that waits and says nothing would look like a program that hangs.
  func say(_ style: Int32, _ text: StaticString) {
    // SAFETY: a literal is a C string.
    unsafe _ = whorl_say(raw, style, CText.pointer(text))
  }

  /// To the log of the authentications.
  func note(_ text: StaticString) {
    // SAFETY: a literal is a C string.
    unsafe whorl_note(raw, LOG_NOTICE, CText.pointer(text))
  }

  private func pointer(_ item: Int32) -> UnsafePointer<CChar>? {
    var value: UnsafeRawPointer?
    // SAFETY: the handle is live, and these items are C strings of libpam's.
    guard unsafe pam_get_item(raw, item, &value) == PAM_SUCCESS else { return nil }
    return unsafe value?.assumingMemoryBound(to: CChar.self)
  }
}
