import Foundation

/// An identifier that the app makes once and keeps, as of a cart or of this device: the example of what
/// does not belong in a keychain. It opens nothing; who copies it knows nothing.
public struct IdentifierStore: Sendable {
  private let store: any KeyValueStore
  private let name: String

  public init(_ store: any KeyValueStore, name: String = "cartID") {
    self.store = store
    self.name = name
  }

  /// The identifier, made at its first use.
  public func identifier() -> String {
    if let kept = store.text(for: name) { return kept }
    let new = UUID().uuidString
    store.setText(new, for: name)
    return new
  }

  /// The next one is another, as after an order or a logout.
  public func reset() {
    store.setText(nil, for: name)
  }
}
