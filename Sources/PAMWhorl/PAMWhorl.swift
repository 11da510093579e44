import CLinux
import CPAMModule

// The functions that libpam calls. Each line of a PAM file names its role; a line without one, or
// with a word nobody knows, is an error and never a pass.

@_cdecl("pam_sm_authenticate")
public func authenticate(
  _ raw: OpaquePointer?, _ flags: Int32, _ count: Int32,
  _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  // SAFETY: libpam's handle and words, alive for the length of the call.
  let arguments = unsafe ModuleArguments(count, words)
  guard let handle = unsafe Handle(raw), arguments.isUnderstood else {
    return PAM_SERVICE_ERR
  }
  switch arguments.role {
  case .verify: return Verify.run(handle, arguments)
  case .capture: return Tell.capture(handle, arguments)
  case .session, .password, nil: return PAM_SERVICE_ERR
  }
}

/// Credentials are nothing of ours; the answer only follows that of the first round.
@_cdecl("pam_sm_setcred")
public func setCredentials(
  _ raw: OpaquePointer?, _ flags: Int32, _ count: Int32,
  _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  // SAFETY: libpam's words, alive for the length of the call.
  unsafe ModuleArguments(count, words).role == .verify ? PAM_SUCCESS : PAM_IGNORE
}

@_cdecl("pam_sm_open_session")
public func openSession(
  _ raw: OpaquePointer?, _ flags: Int32, _ count: Int32,
  _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  // SAFETY: libpam's handle and words, alive for the length of the call.
  unsafe tellSession(raw, flags, count, words, .sessionOpened)
}

@_cdecl("pam_sm_close_session")
public func closeSession(
  _ raw: OpaquePointer?, _ flags: Int32, _ count: Int32,
  _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  // SAFETY: libpam's handle and words, alive for the length of the call.
  unsafe tellSession(raw, flags, count, words, .sessionClosed)
}

@_cdecl("pam_sm_chauthtok")
public func changePassword(
  _ raw: OpaquePointer?, _ flags: Int32, _ count: Int32,
  _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) -> Int32 {
  // SAFETY: libpam's handle and words, alive for the length of the call.
  let arguments = unsafe ModuleArguments(count, words)
  guard let handle = unsafe Handle(raw), arguments.isUnderstood,
    arguments.role == .password
  else { return PAM_SERVICE_ERR }
  return Tell.password(handle, arguments, flags: flags)
}

private func tellSession(
  _ raw: OpaquePointer?, _ flags: Int32, _ count: Int32,
  _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?, _ step: Login.Step
) -> Int32 {
  // SAFETY: libpam's handle and words, alive for the length of the call.
  let arguments = unsafe ModuleArguments(count, words)
  guard let handle = unsafe Handle(raw), arguments.isUnderstood,
    arguments.role == .session
  else { return PAM_SERVICE_ERR }
  return Tell.session(handle, arguments, step)
}
