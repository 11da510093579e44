import Foundation

/// Where what is no secret goes: settings, identifiers of carts and devices. Anyone who can read the
/// user's files can read it.
public protocol KeyValueStore: Sendable {
  func value(for key: String) -> Data?
  /// nil removes.
  func setValue(_ value: Data?, for key: String)
  /// Removes everything of this store's.
  func removeAll()
}

extension KeyValueStore {
  public func text(for key: String) -> String? {
    value(for: key).flatMap { String(data: $0, encoding: .utf8) }
  }

  /// nil removes.
  public func setText(_ text: String?, for key: String) {
    setValue(text.map { Data($0.utf8) }, for: key)
  }
}
