import Foundation
import TokenStorage

/// What holds for every plain store.
public struct PlainContract: Sendable {
  /// One rule. It is given two stores of one place, whose namespaces differ.
  public struct Rule: Sendable {
    public let name: String
    public let run: @Sendable (any KeyValueStore, any KeyValueStore) -> Bool
  }

  public static let rules: [Rule] = [
    Rule(name: "what is not there is nil") { store, _ in
      store.value(for: "nobody") == nil && store.text(for: "nobody") == nil
    },
    Rule(name: "what was set comes back, and is replaced") { store, _ in
      for text in ["", "one", "zwei ü"] { store.setText(text, for: "a") }
      return store.text(for: "a") == "zwei ü" && store.value(for: "a") == Data("zwei ü".utf8)
    },
    Rule(name: "nil removes") { store, _ in
      store.setText("one", for: "a")
      store.setText(nil, for: "a")
      return store.value(for: "a") == nil
    },
    Rule(name: "removing all leaves other namespaces alone") { store, other in
      for key in ["a", "b"] {
        store.setText("mine", for: key)
        other.setText("theirs", for: key)
      }
      store.removeAll()
      return store.value(for: "b") == nil && other.text(for: "b") == "theirs"
    },
  ]
}
