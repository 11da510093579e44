import Foundation

/// Where secrets go: data by key.
///
/// Another protocol than ``KeyValueStore`` on purpose: it throws and the other does not, so that a secret
/// in the plain store is a mistake one can see. Calls may block; what is not there is nil, and no error.
public protocol SecureStore: Sendable {
  func data(for key: String) throws -> Data?

  /// Stores data in place of what is there, in one step: never asks anybody, and a failure leaves what
  /// was there.
  func save(_ data: Data, for key: String) throws

  /// Stores data where nothing is.
  ///
  /// - Returns: false when there is something; it stays.
  func insert(_ data: Data, for key: String) throws -> Bool

  /// That nothing is there is no failure.
  func remove(_ key: String) throws

  /// Removes everything of this store's, as at logout.
  func removeAll() throws

  /// What is there. Never asks anybody.
  func keys() throws -> [String]
}
