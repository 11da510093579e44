import CPAM
import SecretMemory

/// One PAM transaction, from `pam_start` to `pam_end`. Every call may block for as long as the
/// modules like; a transaction belongs to one thread.
@safe
public struct Transaction: ~Copyable {
  /// What a module may be told about the caller.
  public enum Item: Sendable {
    case remoteHost, terminal, remoteUser

    var code: Int32 {
      switch self {
      case .remoteHost: PAM_RHOST
      case .terminal: PAM_TTY
      case .remoteUser: PAM_RUSER
      }
    }
  }

  private let handle: OpaquePointer
  private let conversation: ConversationBox
  private var status: Int32 = PAM_SUCCESS

  /// - Parameters:
  ///   - service: the name of a service file, which must exist: a missing one falls to `other`.
  ///   - directory: the folder of service files; `nil` means the system's.
  public init(
    service: String, user: String, directory: String? = nil,
    conversation answer: @escaping Conversation
  ) throws(PAMError) {
    let box = ConversationBox(answer)
    var started: OpaquePointer?
    // SAFETY: libpam copies the structure and the texts; the box is owned by this value, which
    // ends the transaction before the box can go.
    var callbacks = unsafe pam_conv(
      conv: ConversationBox.callback, appdata_ptr: Unmanaged.passUnretained(box).toOpaque())
    let result =
      if let directory {
        unsafe pam_start_confdir(service, user, &callbacks, directory, &started)
      } else {
        unsafe pam_start(service, user, &callbacks, &started)
      }
    guard result == PAM_SUCCESS, let started = unsafe started else { throw .start(code: result) }
    // Back-off is whorld's, kept across restarts; a sleep here would only hold a worker.
    let delay = unsafe whorl_pam_disable_fail_delay(started)
    guard delay == PAM_SUCCESS else {
      // SAFETY: `deinit` does not run for a value that was never complete.
      unsafe _ = pam_end(started, delay)
      throw .item(code: delay)
    }
    unsafe handle = unsafe started
    conversation = box
  }

  deinit {
    // SAFETY: the one end of the handle that `init` got.
    unsafe _ = pam_end(handle, status)
  }

  /// Sets an item; an empty value leaves it unset, because a module may take any text for a host.
  public mutating func set(_ item: Item, _ value: String) throws(PAMError) {
    guard !value.isEmpty else { return }
    // SAFETY: the handle is live; libpam copies the text.
    let result = unsafe value.withCString { unsafe pam_set_item(handle, item.code, $0) }
    guard result == PAM_SUCCESS else { throw .item(code: result) }
  }

  /// Runs the auth stack; an account without a password is refused.
  /// - Returns: a Linux-PAM return value.
  public mutating func authenticate() -> Int32 {
    // SAFETY: the handle is live.
    status = unsafe pam_authenticate(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK))
    return status
  }

  /// Runs the account stack: expired and locked accounts are found only here.
  /// - Returns: a Linux-PAM return value.
  public mutating func manageAccount() -> Int32 {
    // SAFETY: the handle is live.
    status = unsafe pam_acct_mgmt(handle, Int32(PAM_DISALLOW_NULL_AUTHTOK))
    return status
  }

  /// The user the transaction is about now: a module may have put another in its place.
  public func user() -> String? {
    var item: UnsafeRawPointer?
    // SAFETY: the handle is live; `PAM_USER` is a C string owned by libpam, copied at once.
    guard unsafe pam_get_item(handle, PAM_USER, &item) == PAM_SUCCESS,
      let text = unsafe item?.assumingMemoryBound(to: CChar.self)
    else { return nil }
    return unsafe String(cString: text)
  }
}
