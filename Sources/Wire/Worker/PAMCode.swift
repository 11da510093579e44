/// A return value of Linux-PAM, whose numbers are fixed by its binary interface.
public struct PAMCode: RawRepresentable, Hashable, Sendable {
  public let rawValue: Int32

  public init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  public static let success = PAMCode(rawValue: 0)
  public static let permissionDenied = PAMCode(rawValue: 6)
  public static let authenticationError = PAMCode(rawValue: 7)
  /// Of pam_fprintd: remote, no prints, busy, timed out, or fprintd vanished.
  public static let authenticationUnavailable = PAMCode(rawValue: 9)
  public static let userUnknown = PAMCode(rawValue: 10)
  public static let maxTries = PAMCode(rawValue: 11)
  public static let newPasswordRequired = PAMCode(rawValue: 12)
  public static let accountExpired = PAMCode(rawValue: 13)
  public static let conversationError = PAMCode(rawValue: 19)
  public static let abort = PAMCode(rawValue: 26)
}
