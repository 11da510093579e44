// swift-format-ignore-file: AlwaysUseLowerCamelCase

import WhorlKit
import Wire

/// What is known about the last failed call of this thread beside its status: an extension, for what
/// Apple's codes hide.
public struct SecFailure: Equatable, Sendable {
  public let status: OSStatus
  /// The `LAError` code of the same meaning, for failures of authentication; else nil. Tells
  /// lockout, none enrolled, no reader and cancelled from each other.
  public let authenticationCode: Int?
  /// Whether an item was reported as not found because the enrolled fingerprints have changed
  /// since it was stored. Storing it again succeeds.
  public let isInvalidatedByEnrollmentChange: Bool

  package init(
    status: OSStatus, authenticationCode: Int? = nil, isInvalidatedByEnrollmentChange: Bool = false
  ) {
    self.status = status
    self.authenticationCode = authenticationCode
    self.isInvalidatedByEnrollmentChange = isInvalidatedByEnrollmentChange
  }
}

/// The failure that the last `SecItem…` or `SecKey…` call of this thread returned; nil after a
/// success.
public func SecCopyLastFailure() -> SecFailure? {
  Thread.current.threadDictionary[LastFailure.key] as? SecFailure
}

enum LastFailure {
  static let key = "org.whorl.SecFailure"

  /// Runs a call, and keeps for this thread how it ended.
  static func recording(_ body: () throws(ItemFailure) -> Void) -> OSStatus {
    do throws(ItemFailure) {
      try body()
      Thread.current.threadDictionary[key] = nil
      return errSecSuccess
    } catch {
      Thread.current.threadDictionary[key] = SecFailure(
        status: error.status, authenticationCode: error.error?.cause?.rawValue,
        isInvalidatedByEnrollmentChange: error.error?.code == .invalidated)
      return error.status
    }
  }
}
