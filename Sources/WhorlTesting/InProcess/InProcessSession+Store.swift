import Wire

/// Sealed forms that the client brings, as the daemon takes them.
extension InProcessSession {
  func take(_ part: FormPart) {
    guard let running, running.fetch?.take(part) == true else {
      return fail(Failure(.protocolViolation))
    }
    guard let forms = running.fetch?.whole else { return }
    running.fetch = nil
    go(service.vault.resume(running.pending, .forms(forms)))
  }
}
