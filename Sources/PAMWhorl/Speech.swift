/// Every text for people, each said once per event. Translations, in pam/po, are looked up by libc in
/// the domain “whorl”, in the language that the login program has set. libc reads LANGUAGE for that, also
/// in a program with more rights than its caller, who may so choose among the languages that are
/// installed, and no more: a text is never a format.
enum Speech {
  static let touch: StaticString = "Touch the fingerprint reader"
  static let queued: StaticString =
    "Another program waits for your finger: a touch now serves that one"
  static let usePassword: StaticString = "Use your password"
  private static let notRecognized: StaticString = "The finger was not recognized. Try again"
  private static let again: StaticString = "Touch the fingerprint reader again"
  private static let lift: StaticString = "Lift the finger, then touch again"
  private static let lockedOut: StaticString =
    "Too many fingers were not recognized. Use your password"
  private static let changed: StaticString =
    "Your fingerprints or your password changed. Use your password this once"
  private static let first: StaticString = "Use your password this once"

  /// The daemon's code for fingers that were wrong, too often.
  static let authenticationFailed: UInt8 = 3

  static func notice(_ kind: UInt8) -> StaticString? {
    switch kind {
    case 1: notRecognized
    case 2: again
    case 3: lift
    default: nil
    }
  }

  /// - Parameter wasShown: whether a touch was asked for; a person who was asked for nothing need
  ///   not hear of it.
  static func failure(_ code: UInt8, wasShown: Bool) -> StaticString? {
    switch code {
    case 7: changed
    case 8: lockedOut
    case 25: first
    default: wasShown ? usePassword : nil
    }
  }
}
