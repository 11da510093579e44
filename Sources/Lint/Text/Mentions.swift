/// What a file speaks of at all, found in one pass, so that most files are done with soon.
struct Mentions {
  /// Anything that may be the name of a secret.
  private(set) var secrets = false
  /// Anything of the keychain's interface.
  private(set) var keychain = false

  init(_ bytes: [UInt8]) {
    for index in bytes.indices {
      guard let tails = Self.tails[Int(bytes[index] | 0x20)] else { continue }
      for (tail, isKeychain) in tails where Self.follows(bytes, index + 1, tail) {
        if isKeychain { keychain = true } else { secrets = true }
      }
      if secrets && keychain { return }
    }
  }

  private static func follows(_ bytes: [UInt8], _ start: Int, _ tail: [UInt8]) -> Bool {
    guard start + tail.count <= bytes.count else { return false }
    for offset in tail.indices where bytes[start + offset] | 0x20 != tail[offset] { return false }
    return true
  }

  /// The rest of each word by its first letter, in lower case, and whether it is the keychain's.
  private static let tails: [[([UInt8], Bool)]?] = {
    var tails: [[([UInt8], Bool)]?] = Array(repeating: nil, count: 256)
    func add(_ words: [String], _ isKeychain: Bool) {
      for word in words {
        let bytes = Array(word.utf8)
        tails[Int(bytes[0]), default: []].append((Array(bytes.dropFirst()), isKeychain))
      }
    }
    let parts = [
      "api", "access", "private", "secret", "auth", "signing", "encryption", "master", "session",
      "recovery",
    ]
    add(
      [
        "token", "passw", "pwd", "passcode", "passphrase", "secret", "bearer", "credential", "jwt",
        "pincode", "pin\u{7f}code", "pin-code", "recovery",
      ], false)
    // A sign between two words reads in lower case as 0x20 set: `_` as 0x7f, `-` as itself.
    add(
      parts.flatMap { [$0 + "key", $0 + "-key", $0 + ".key", $0 + " key", $0 + "\u{7f}key"] }, false
    )
    add(["secitem", "ksec", "secrandom", "accessib", "synchroniz"], true)
    return tails
  }()
}

extension Array {
  fileprivate subscript<Value>(index: Int, default value: Value) -> Value
  where Element == Value? {
    get { self[index] ?? value }
    set { self[index] = newValue }
  }
}
