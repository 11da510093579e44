import WhorlKit

/// Why a call failed: its status, and what the status does not say.
package struct ItemFailure: Error {
  package var status: OSStatus
  var error: KeychainError?

  init(_ status: OSStatus, _ error: KeychainError? = nil) {
    self.status = status
    self.error = error
  }

  /// An item that its fingerprints ended is absent to code written for Apple's systems, so that
  /// adding it again succeeds.
  init(_ error: KeychainError) {
    self.init(error.code == .invalidated ? errSecItemNotFound : error.status, error)
  }
}
