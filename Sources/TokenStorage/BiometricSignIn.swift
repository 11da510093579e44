import Foundation
import LocalAuthentication

/// Signs a person in by a finger, or where no finger can be asked for by the account's password.
///
/// What it gives is a context, for reading what only that person may read: a yes or no alone guards
/// nothing.
public struct BiometricSignIn: Sendable {
  /// How the person is asked.
  public enum Method: Sendable {
    case biometrics, devicePasscode

    var policy: LAPolicy {
      switch self {
      case .biometrics: .deviceOwnerAuthenticationWithBiometrics
      case .devicePasscode: .deviceOwnerAuthentication
      }
    }
  }

  /// The title of the button for another way; nil for the system's own, "" for none.
  public var fallbackTitle: String?
  /// Seconds for which what was proven may serve again, as far as an item allows it: 0 to 300.
  public var reuseDuration: TimeInterval

  public init(fallbackTitle: String? = nil, reuseDuration: TimeInterval = 0) {
    self.fallbackTitle = fallbackTitle
    self.reuseDuration = reuseDuration
  }

  /// How ``signIn(reason:)`` would ask now. Asks nobody.
  ///
  /// - Throws: `biometricsUnavailable` when it could not.
  public func method() throws(BiometricSignInError) -> Method {
    try method(of: makeContext())
  }

  /// Asks the person.
  ///
  /// - Parameter reason: why, in this app's words; not empty.
  /// - Returns: the context that keeps what was proven.
  /// - Throws: ``BiometricSignInError`` when nobody can be asked, else `LAError`.
  public func signIn(reason: String) async throws -> LAContext {
    let context = makeContext()
    let method = try method(of: context)
    try await context.evaluatePolicy(method.policy, localizedReason: reason)
    return context
  }

  /// Stands for the enrolled fingers, to be kept; nil when there are none.
  public var domainState: Data? { makeContext().domainState.stateHash }

  /// Whether fingers were enrolled or deleted since.
  ///
  /// - Parameter kept: an earlier ``domainState``.
  public func hasEnrollmentChanged(since kept: Data?) -> Bool { domainState != kept }

  private func makeContext() -> LAContext {
    let context = LAContext()
    context.localizedFallbackTitle = fallbackTitle
    context.touchIDAuthenticationAllowableReuseDuration = reuseDuration
    return context
  }

  private func method(of context: LAContext) throws(BiometricSignInError) -> Method {
    for method in [Method.biometrics, .devicePasscode]
    where context.canEvaluatePolicy(method.policy, error: nil) {
      return method
    }
    throw .biometricsUnavailable
  }
}

/// Why nobody can be asked.
public enum BiometricSignInError: LocalizedError, Equatable, Sendable {
  /// Neither a finger nor the account's password can be asked for here.
  case biometricsUnavailable

  public var errorDescription: String? {
    "Neither a fingerprint nor the password of the account can be asked for here."
  }
}
