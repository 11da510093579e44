import Wire

/// Sealed forms that the client brings, as the daemon takes them.
extension InProcessSession {
  /// What is missing of the forms that were asked for.
  struct Fetch {
    let forms: [SealedForm]
    var brought: [[UInt8]] = []

    /// - Returns: false for a part that is not the next one.
    mutating func take(_ part: FormPart) -> Bool {
      guard part.index < forms.count, part.index == brought.count || part.index + 1 == brought.count
      else { return false }
      if part.index == brought.count { brought.append([]) }
      brought[Int(part.index)] += part.bytes
      return brought[Int(part.index)].count <= forms[Int(part.index)].count
    }

    var isWhole: Bool { brought.map(\.count) == forms.map { Int($0.count) } }
  }

  func take(_ part: FormPart) {
    guard let running, running.fetch?.take(part) == true else {
      return fail(Failure(.protocolViolation))
    }
    guard let fetch = running.fetch, fetch.isWhole else { return }
    running.fetch = nil
    go(service.vault.resume(running.pending, .forms(fetch.brought)))
  }
}
