import Linux
import Wire

/// What the user has settled for all programs: `whorl/whorl.conf` in $XDG_CONFIG_HOME, by default
/// ~/.config. Lines of `key = value`; `#` begins a comment.
///
/// - `store`: where items are kept of which nothing else was said, `default` or `secret-service`.
/// - `collection`: the label of the collection that they go to in the keyring.
public struct UserSettings: Equatable, Sendable {
  public var store = StoreKind.own
  /// Empty for the keyring's default one.
  public var collection: [UInt8] = []

  /// A line that is none of these, by its number.
  public struct Wrong: Error, Equatable, Sendable {
    public let line: Int
  }

  public init() {}

  /// Reads the file's text.
  public init(_ text: [UInt8]) throws(Wrong) {
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let words = Self.trimmed(line)
      if words.isEmpty || words.first == UInt8(ascii: "#") { continue }
      guard let equals = words.firstIndex(of: UInt8(ascii: "=")) else {
        throw Wrong(line: index + 1)
      }
      let key = Self.trimmed(words[..<equals])
      let value = Array(Self.trimmed(words[(equals + 1)...]))
      switch String(decoding: key, as: UTF8.self) {
      case "store":
        guard let store = StoreKind(word: String(decoding: value, as: UTF8.self)) else {
          throw Wrong(line: index + 1)
        }
        self.store = store
      case "collection" where !value.contains(0): collection = value
      default: throw Wrong(line: index + 1)
      }
    }
  }

  /// This user's. A program that runs with more rights than its caller has none.
  ///
  /// - Throws: `.badParameter` for a file that cannot be understood or read: what the user has
  ///   settled is not passed over.
  public static func own() throws(KeychainError) -> UserSettings {
    guard let path = file, !OwnProcess.isPrivileged else { return UserSettings() }
    let text: [UInt8]
    do throws(SystemError) {
      text = try RegularFile.bytes(path, limit: 65536, followsLinks: true)
    } catch {
      // What this user may not look at is not this user's: HOME may be that of another.
      guard error.isMissing || error.isWrongKind || error.isForbidden else { throw wrong(path) }
      return UserSettings()
    }
    do throws(Wrong) { return try UserSettings(text) } catch {
      throw wrong(Array("line \(error.line) of ".utf8) + path)
    }
  }

  private static func wrong(_ detail: [UInt8]) -> KeychainError {
    KeychainError(.badParameter, detail: detail, keyring: .badSettings)
  }

  /// Where the file of this user is, or would be.
  public static var file: [UInt8]? {
    let name = Array("/whorl/whorl.conf".utf8)
    if let folder = OwnProcess.environment("XDG_CONFIG_HOME"), folder.first == UInt8(ascii: "/") {
      return folder + name
    }
    guard let home = OwnProcess.environment("HOME"), !home.isEmpty else { return nil }
    return home + Array("/.config".utf8) + name
  }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let blanks = Array(" \t\r".utf8)
    var text = text.drop { blanks.contains($0) }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    return text
  }
}
