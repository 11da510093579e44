import AccessControl

extension [Factor] {
  /// The factor that typed text answers.
  package var typed: Factor? {
    contains(.devicePasscode)
      ? .devicePasscode : contains(.applicationPassword) ? .applicationPassword : nil
  }
}
