import Foundation

/// Plain values in the user defaults: on Linux a file under ~/.config that any program of the user's
/// reads. Never a secret.
public final class UserDefaultsStore: KeyValueStore, @unchecked Sendable {
  // Unchecked: UserDefaults guards itself by a lock, and is not marked so on Linux.
  private let defaults: UserDefaults
  private let prefix: String

  /// - Parameters:
  ///   - defaults: a suite of the app's own, or the standard one.
  ///   - namespace: keeps the keys of this store apart from others of the suite.
  public init(_ defaults: UserDefaults = .standard, namespace: String) {
    self.defaults = defaults
    prefix = namespace + "."
  }

  public func value(for key: String) -> Data? {
    defaults.data(forKey: prefix + key)
  }

  public func setValue(_ value: Data?, for key: String) {
    if let value {
      defaults.set(value, forKey: prefix + key)
    } else {
      defaults.removeObject(forKey: prefix + key)
    }
    // Without it an app that ends at once has written nothing.
    defaults.synchronize()
  }

  public func removeAll() {
    for key in defaults.dictionaryRepresentation().keys where key.hasPrefix(prefix) {
      defaults.removeObject(forKey: key)
    }
    defaults.synchronize()
  }
}
