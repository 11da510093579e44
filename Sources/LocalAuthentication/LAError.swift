// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import WhorlKit

public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why an authentication did not succeed, with Apple's codes.
public struct LAError: CustomNSError, LocalizedError, Hashable, Sendable {
  public enum Code: Int, CaseIterable, Sendable {
    case authenticationFailed = -1
    case userCancel = -2
    case userFallback = -3
    case systemCancel = -4
    case passcodeNotSet = -5
    case biometryNotAvailable = -6
    case biometryNotEnrolled = -7
    case biometryLockout = -8
    case appCancel = -9
    case invalidContext = -10
    case companionNotAvailable = -11
    case biometryNotPaired = -12
    case biometryDisconnected = -13
    case invalidDimensions = -14
    case notInteractive = -1004

    public static let touchIDNotAvailable = Self.biometryNotAvailable
    public static let touchIDNotEnrolled = Self.biometryNotEnrolled
    public static let touchIDLockout = Self.biometryLockout
    public static let watchNotAvailable = Self.companionNotAvailable
  }

  public let code: Code
  /// Whether a right failed because the enrolled fingerprints have changed since it was saved: an
  /// extension, for what Apple's codes hide.
  public let isInvalidatedByEnrollmentChange: Bool
  private let text: String

  public init(_ code: Code) {
    self.init(code, code.text)
  }

  init(_ code: Code, _ text: String, isInvalidatedByEnrollmentChange: Bool = false) {
    self.code = code
    self.text = text
    self.isInvalidatedByEnrollmentChange = isInvalidatedByEnrollmentChange
  }

  public static var errorDomain: String { LAErrorDomain }
  public var errorCode: Int { code.rawValue }
  public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: text] }
  public var errorDescription: String? { text }

  public static var authenticationFailed: Code { .authenticationFailed }
  public static var userCancel: Code { .userCancel }
  public static var userFallback: Code { .userFallback }
  public static var systemCancel: Code { .systemCancel }
  public static var passcodeNotSet: Code { .passcodeNotSet }
  public static var biometryNotAvailable: Code { .biometryNotAvailable }
  public static var touchIDNotAvailable: Code { .biometryNotAvailable }
  public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
  public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
  public static var biometryLockout: Code { .biometryLockout }
  public static var touchIDLockout: Code { .biometryLockout }
  public static var appCancel: Code { .appCancel }
  public static var invalidContext: Code { .invalidContext }
  public static var companionNotAvailable: Code { .companionNotAvailable }
  public static var watchNotAvailable: Code { .companionNotAvailable }
  public static var biometryNotPaired: Code { .biometryNotPaired }
  public static var biometryDisconnected: Code { .biometryDisconnected }
  public static var invalidDimensions: Code { .invalidDimensions }
  public static var notInteractive: Code { .notInteractive }
}

extension LAError.Code {
  /// For `catch LAError.userCancel` and `case LAError.userCancel:`.
  public static func ~= (code: Self, error: any Error) -> Bool {
    let error = error as Foundation.NSError
    return error.domain == LAErrorDomain && error.code == code.rawValue
  }

  var text: String {
    switch self {
    case .authenticationFailed: "The person could not be authenticated."
    case .userCancel: "The person cancelled."
    case .userFallback: "The person chose another way."
    case .systemCancel: "Nobody answered in time, or another prompt was in the way."
    case .passcodeNotSet: "The account has no usable password."
    case .biometryNotAvailable: "A finger cannot be asked for here."
    case .biometryNotEnrolled: "No fingerprint is enrolled."
    case .biometryLockout: "The fingerprint reader is locked out."
    case .appCancel: "The program cancelled."
    case .invalidContext: "The context was invalidated."
    case .companionNotAvailable: "There is no companion device."
    case .biometryNotPaired: "There is no paired reader."
    case .biometryDisconnected: "The reader is not connected."
    case .invalidDimensions: "The dimensions are not valid."
    case .notInteractive: "Somebody must be asked, and nobody can be."
    }
  }
}

extension LAError {
  /// - Parameter isBiometric: what a failure of the service itself means: no reader for a policy that
  ///   needs one, else that the system ended it.
  init(_ error: KeychainError, isBiometric: Bool) {
    if let cause = error.cause, let code = Code(rawValue: cause.rawValue) {
      self.init(code)
    } else if error.code == .unavailable, isBiometric {
      self.init(.biometryNotAvailable)
    } else {
      self.init(.systemCancel, "The service failed: \(error.code).")
    }
  }
}
