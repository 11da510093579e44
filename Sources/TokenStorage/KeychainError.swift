import Foundation
import Security

/// Why a call on the keychain failed: what was tried, and the status it gave.
///
/// A `LocalizedError`, since a bare `localizedDescription` is not seen through `any Error` on Linux.
public enum KeychainError: LocalizedError, Equatable, Sendable {
  case save(OSStatus)
  case update(OSStatus)
  case read(OSStatus)
  case delete(OSStatus)
  /// What was read is not what was stored there: no text where a text was.
  case unreadableData
  /// There is no keychain service here, or it does not answer. In previews and tests use
  /// ``InMemorySecureStore``.
  case unavailable

  /// What a call was for.
  public enum Operation: String, Sendable {
    case save, update, read, delete
  }

  /// The error of a status that is no success.
  public init(_ operation: Operation, _ status: OSStatus) {
    self =
      switch (operation, status) {
      case (_, errSecNotAvailable): .unavailable
      case (.save, _): .save(status)
      case (.update, _): .update(status)
      case (.read, _): .read(status)
      case (.delete, _): .delete(status)
      }
  }

  /// nil where the operation does not matter.
  public var operation: Operation? {
    switch self {
    case .save: .save
    case .update: .update
    case .read, .unreadableData: .read
    case .delete: .delete
    case .unavailable: nil
    }
  }

  /// What the keychain answered.
  public var status: OSStatus {
    switch self {
    case .save(let status), .update(let status), .read(let status), .delete(let status): status
    case .unreadableData: errSecDecode
    case .unavailable: errSecNotAvailable
    }
  }

  public var errorDescription: String? {
    let text = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "OSStatus \(status)"
    return switch self {
    case .save: "Saving to the keychain failed: \(text)"
    case .update: "Updating the keychain failed: \(text)"
    case .read: "Reading from the keychain failed: \(text)"
    case .delete: "Deleting from the keychain failed: \(text)"
    case .unreadableData: "What the keychain holds is no text."
    case .unavailable: "The keychain is not there: \(text)"
    }
  }
}
