import WhorlClient

/// Why one item was not taken over. It is as it was where it came from.
public enum ImportError: Error, Equatable, Sendable {
  /// Its attributes are more or longer than an item of Whorl's may have, or have names of Whorl's.
  case unfit
  /// Its secret is longer than Whorl's may be.
  case tooLong
  /// What was read back is not what was stored.
  case differs
  case keychain(KeychainError)
}

extension ImportError {
  /// Whether another item may do better.
  public var isAboutItem: Bool {
    switch self {
    case .unfit, .tooLong: true
    case .differs: false
    case .keychain(let error): error.code == .badParameter || error.code == .duplicate
    }
  }
}
