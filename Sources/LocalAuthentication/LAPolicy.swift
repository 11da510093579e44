// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AccessControl
import Foundation

/// What a person must prove, with Apple's raw values.
public enum LAPolicy: Int, Sendable {
  case deviceOwnerAuthenticationWithBiometrics = 1
  case deviceOwnerAuthentication = 2
  case deviceOwnerAuthenticationWithCompanion = 3
  case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
  case deviceOwnerAuthenticationWithWristDetection = 5

  public static let deviceOwnerAuthenticationWithWatch = Self.deviceOwnerAuthenticationWithCompanion
  public static let deviceOwnerAuthenticationWithBiometricsOrWatch =
    Self.deviceOwnerAuthenticationWithBiometricsOrCompanion

  var isBiometric: Bool {
    self == .deviceOwnerAuthenticationWithBiometrics
      || self == .deviceOwnerAuthenticationWithBiometricsOrCompanion
  }

  /// - Throws: `companionNotAvailable`: there is never one on Linux.
  func control() throws(LAError) -> AccessControl {
    let flags: AccessControlFlags
    switch self {
    case .deviceOwnerAuthentication: flags = .userPresence
    case .deviceOwnerAuthenticationWithBiometrics,
      .deviceOwnerAuthenticationWithBiometricsOrCompanion:
      flags = .biometryAny
    case .deviceOwnerAuthenticationWithCompanion, .deviceOwnerAuthenticationWithWristDetection:
      throw LAError(.companionNotAvailable)
    }
    do throws(AccessControlError) {
      // A policy is no item: whether the session is unlocked does not matter to it.
      return try AccessControl(accessibility: .afterFirstUnlock, flags: flags)
    } catch { throw LAError(.authenticationFailed) }
  }
}

/// What an access control is evaluated for, with Apple's raw values.
public enum LAAccessControlOperation: Int, Sendable {
  case createItem = 0
  case useItem, createKey, useKeySign, useKeyDecrypt, useKeyKeyExchange
}

/// What `setCredential` brings, with Apple's raw values.
public enum LACredentialType: Int, Sendable {
  case applicationPassword = 0
  case smartCardPIN = -3
}

/// What the machine's reader reads, with Apple's raw values. On Linux: a finger.
public enum LABiometryType: Int, Sendable {
  case none = 0
  case touchID = 1
  case faceID = 2
  case opticID = 4
}

/// The longest reuse of an authentication, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
