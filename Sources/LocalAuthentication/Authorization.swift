import WhorlKit

// How failures reach those who use rights: as `LAError` where they are about authentication, else as a
// status.

extension KeychainError {
  var authorization: any Error {
    if code == .invalidated {
      return LAError(
        .authenticationFailed, LAError.endedText, isInvalidatedByEnrollmentChange: true)
    }
    if cause != nil { return LAError(self, isBiometric: false) }
    return Foundation.NSError(domain: NSOSStatusErrorDomain, code: Int(status))
  }
}

extension SecFailure {
  /// Of the last call of this thread, which failed.
  static var authorization: any Error {
    guard let failure = SecCopyLastFailure() else { return LAError(.authenticationFailed) }
    if failure.isInvalidatedByEnrollmentChange {
      return LAError(
        .authenticationFailed, LAError.endedText, isInvalidatedByEnrollmentChange: true)
    }
    if let code = failure.authenticationCode.flatMap(LAError.Code.init(rawValue:)) {
      return LAError(code)
    }
    return Foundation.NSError(domain: NSOSStatusErrorDomain, code: Int(failure.status))
  }
}

extension LAError {
  static let endedText = "The enrolled fingerprints have changed since the right was saved."
}
