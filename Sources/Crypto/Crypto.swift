import CSodium
import SecretMemory

public enum CryptoError: Error, Equatable, Sendable {
  /// The box, its key or its associated data is not what was sealed.
  case forged
  /// No more memory can be locked.
  case memory
  /// The library could not be initialized, or could not get the memory a password hash needs.
  case failed
}

public enum Crypto {
  /// Sets the library up. Called once before anything else of this module; safe to call again.
  public static func initialize() throws(CryptoError) {
    guard sodium_init() >= 0 else { throw .failed }
  }
}
