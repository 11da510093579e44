import Foundation
import TokenStorage

/// What holds for every secure store: the keychain's, against the daemon and in memory, and the fakes.
/// In a library, since against the daemon it runs in a program of an ordinary user's.
public struct StoreContract: Sendable {
  /// One rule. It is given an empty store.
  public struct Rule: Sendable {
    public let name: String
    public let run: @Sendable (any SecureStore) throws -> Void
  }

  public struct Broken: Error, CustomStringConvertible {
    public let description: String
  }

  public static let rules: [Rule] = [
    Rule(name: "what is not there is nil") { store in
      try expect(store.data(for: "nobody") == nil)
      try expect(store.keys() == [])
    },
    Rule(name: "what was saved comes back") { store in
      for count in [0, 1, 64 * 1024] {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try store.save(data, for: "key \(count)")
        try expect(store.data(for: "key \(count)") == data)
      }
    },
    Rule(name: "a save replaces") { store in
      for text in ["one", "two", "three"] { try store.save(Data(text.utf8), for: "a") }
      try expect(store.data(for: "a") == Data("three".utf8))
      try expect(store.keys() == ["a"])
    },
    Rule(name: "an insert replaces nothing") { store in
      try expect(store.insert(Data("one".utf8), for: "a"))
      try expect(!store.insert(Data("two".utf8), for: "a"))
      try expect(store.data(for: "a") == Data("one".utf8))
    },
    Rule(name: "keys of any text are apart") { store in
      let keys = ["a", "A", "a/b", "ä ö", "", "a\nb", String(repeating: "k", count: 1000)]
      for (number, key) in keys.enumerated() { try store.save(Data([UInt8(number)]), for: key) }
      for (number, key) in keys.enumerated() {
        try expect(store.data(for: key) == Data([UInt8(number)]))
      }
      try expect(Set(store.keys()) == Set(keys))
      try store.remove("a")
      try expect(store.data(for: "a") == nil)
      try expect(store.data(for: "A") == Data([1]))
    },
    Rule(name: "removing what is not there is no failure") { store in
      try store.remove("nobody")
      try store.removeAll()
    },
    Rule(name: "removing all leaves nothing") { store in
      for key in ["a", "b", "c"] { try store.save(Data(key.utf8), for: key) }
      try store.removeAll()
      try expect(store.keys() == [])
      try expect(store.data(for: "b") == nil)
    },
    Rule(name: "texts are kept by their keys, and what is no text is an error") { store in
      let secrets = SecureStrings<Secret>(store)
      try secrets.save("äöü", for: .pin)
      try expect(secrets.string(for: .pin) == "äöü")
      try expect(secrets.string(for: .apiKey) == nil)
      try expect(secrets.stored() == [.pin])
      try store.save(Data([0xff, 0xfe]), for: Secret.apiKey.rawValue)
      do {
        _ = try secrets.string(for: .apiKey)
        throw Broken(description: "no text was read as one")
      } catch KeychainError.unreadableData {}
      try secrets.removeAll()
      try expect(secrets.stored() == [] && store.keys() == [])
    },
    Rule(name: "a symmetric key is made once and kept") { store in
      let key = try SymmetricKeyStore(store).key()
      try expect(key.count == 32 && Set(key).count > 8)
      try expect(SymmetricKeyStore(store).key() == key)
      try expect(SymmetricKeyStore(store, name: "other").key() != key)
      try store.save(Data([1]), for: "symmetricKey")
      do {
        _ = try SymmetricKeyStore(store).key()
        throw Broken(description: "what is no key was taken for one")
      } catch KeychainError.unreadableData {}
    },
  ]

  enum Secret: String, CaseIterable { case apiKey, pin }

  private static func expect(
    _ isRight: @autoclosure () throws -> Bool, line: Int = #line
  ) throws {
    guard try isRight() else { throw Broken(description: "line \(line)") }
  }
}
