/// Whether a name is that of a secret's value, judged by its words: the last one says what the thing
/// is. `authToken` is a token; `tokenCount` is a count, and `hasToken` an answer.
enum SecretName {
  /// The words of `authToken`, `AUTH_TOKEN`, `com.acme.auth-token` and `JWTString`, in lower case.
  static func words(_ name: String) -> [String] {
    var words: [String] = []
    var word: [UInt8] = []
    let bytes = Array(name.utf8)
    func isUpper(_ byte: UInt8) -> Bool { byte &- 0x41 < 26 }
    func isLower(_ byte: UInt8) -> Bool { byte &- 0x61 < 26 || byte >= 0x80 }
    func finish() {
      if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
      word = []
    }
    for (index, byte) in bytes.enumerated() {
      if isLower(byte) {
        word.append(byte)
      } else if isUpper(byte) {
        let followsLower = index > 0 && isLower(bytes[index - 1])
        let precedesLower = index + 1 < bytes.count && isLower(bytes[index + 1])
        // An `s` makes the plural of `JWTs`.
        let isPlural =
          precedesLower && bytes[index + 1] == 0x73
          && (index + 2 == bytes.count || isUpper(bytes[index + 2]))
        if followsLower || (precedesLower && !isPlural) { finish() }
        word.append(byte | 0x20)
      } else {
        finish()
      }
    }
    finish()
    return words
  }

  private static func isCandidate(_ words: [String]) -> Bool {
    words.contains { roots.contains($0) }
  }

  static func isSecret(_ name: String) -> Bool { isMentioned(name) && isSecret(words(name)) }

  /// Most names are not, and this is quick.
  private static func isMentioned(_ name: String) -> Bool { Mentions(Array(name.utf8)).secrets }

  static func isSecret(_ all: [String]) -> Bool {
    // Names of Apple's interface name attributes and classes.
    guard isCandidate(all), all.count < 2 || all[1] != "sec" || all[0] != "k" else { return false }
    var words = all[...]
    while let last = words.last, words.count > 1, neutral.contains(last) { words.removeLast() }
    guard let head = words.last, let first = words.first else { return false }
    let qualifiers = words.dropLast()
    guard qualifiers.allSatisfy({ !hidden.contains($0) }) else { return false }
    if !qualifiers.isEmpty, questions.contains(first) { return false }
    switch head {
    case "token", "jwt", "bearer": return !(qualifiers.last.map(harmless.contains) ?? false)
    // Many of them may be a text's words; with a qualifier they are somebody's.
    case "tokens": return qualifiers.last.map(owners.contains) ?? false
    case "key", "keys": return qualifiers.last.map(keys.contains) ?? false
    case "code": return qualifiers.last == "pin" || qualifiers.last == "recovery"
    default:
      return heads.contains(head) && !(qualifiers.last.map(verbs.contains) ?? false)
    }
  }

  /// Whether what is stored under the name is a secret: `tokenKey`, `kAuthToken`, "user.password".
  static func isSecretKey(_ name: String) -> Bool {
    guard isMentioned(name) else { return false }
    var words = words(name)
    if isSecret(words) { return true }
    if words.first == "k", words.count > 1 { words.removeFirst() }
    while let last = words.last, words.count > 1, labels.contains(last) {
      words.removeLast()
      if isSecret(words) { return true }
    }
    return isSecret(words)
  }

  /// Whether a call of that name answers with a secret.
  static func isSecretCall(_ name: String) -> Bool {
    guard isMentioned(name) else { return false }
    var words = words(name)[...]
    guard let first = words.first, isCandidate(Array(words)) else { return false }
    if readers.contains(first) {
      words.removeFirst()
    } else if verbs.contains(first) || first == "refresh" {
      return false
    }
    return isSecret(Array(words))
  }

  /// Whether the name is that of a token that opens nothing, as a device's for pushes.
  static func isHarmlessToken(_ name: String) -> Bool {
    let words = words(name)
    return words.last == "token" && (words.dropLast().last.map(harmless.contains) ?? false)
  }

  static func isReader(_ name: String) -> Bool {
    words(name).first.map(readers.contains) ?? false
  }

  /// Whether a call of that name hides what it is given.
  static func hides(_ name: String) -> Bool { words(name).contains { hiding.contains($0) } }

  private static let roots: Set = [
    "token", "tokens", "password", "passwords", "passwd", "pwd", "passcode", "passcodes",
    "passphrase", "secret", "secrets", "bearer", "credential", "credentials", "jwt", "apikey",
    "apikeys", "key", "keys", "pin", "pincode", "recovery", "apitoken", "accesstoken", "authtoken",
    "refreshtoken",
  ]
  private static let heads: Set = [
    "password", "passwords", "passwd", "pwd", "passcode", "passcodes", "passphrase", "secret",
    "secrets", "credential", "credentials", "apikey", "apikeys", "pincode", "apitoken",
    "accesstoken", "authtoken", "refreshtoken",
  ]
  private static let keys: Set = [
    "api", "access", "private", "secret", "auth", "signing", "encryption", "master", "session",
    "recovery",
  ]
  private static let owners: Set = [
    "auth", "access", "refresh", "bearer", "session", "api", "oauth", "id", "user", "login",
    "saved",
    "stored",
  ]
  private static let neutral: Set = [
    "value", "string", "str", "data", "bytes", "raw", "plain", "plaintext", "utf", "hex", "v",
  ]
  private static let labels: Set = [
    "key", "name", "identifier", "account", "tag", "id", "prefix", "entry", "item", "path",
    "txt", "json", "dat", "bin", "conf", "cfg", "ini", "file",
  ]
  /// Before a head they make the name that of a question or of what to do.
  private static let questions: Set = [
    "is", "has", "had", "should", "did", "will", "can", "needs", "need", "allows", "allow",
    "requires", "require", "supports", "show", "shows", "hide", "hides", "use", "uses", "enable",
    "disable", "forgot", "forget", "invalid", "missing", "wrong", "no", "without", "remember",
    "incorrect", "weak", "empty", "max", "min", "total", "num", "count", "on", "wants", "skip",
  ]
  private static let verbs: Set = [
    "reset", "change", "forgot", "forget", "save", "store", "delete", "remove", "clear", "validate",
    "verify", "check", "update", "set", "enter", "invalid", "show", "hide", "rotate", "revoke",
    "put", "write", "add", "insert", "persist", "wipe", "erase", "cache", "log", "print", "send",
    "register", "invalidate", "is", "has", "use", "require", "encrypt", "hash", "mask", "redact",
    "toggle", "expire", "did", "will", "on", "handle", "ensure",
  ]
  private static let readers: Set = [
    "get", "read", "load", "fetch", "retrieve", "obtain", "copy", "find", "current", "lookup",
    "decrypt", "reveal", "unwrap", "stored", "saved", "cached", "request", "acquire",
  ]
  /// Tokens that open nothing.
  private static let harmless: Set = [
    "page", "next", "continuation", "cancellation", "cancel", "observer", "observation",
    "notification", "notifications", "device", "push", "apns", "fcm", "change", "history", "sync",
    "syntax", "lexer", "design", "color", "spacing", "style", "subscription", "kvo", "eof", "peek",
    "lookahead", "pad", "mask", "special", "unk", "bos", "eos", "prompt", "completion", "input",
    "output", "once", "previous", "public", "keyword", "operator", "string", "number", "word",
    "foreground", "background", "task", "listener", "timer", "cursor", "debounce", "last",
  ]
  private static let hidden: Set = [
    "masked", "redacted", "hashed", "encrypted", "sealed", "obfuscated", "anonymized", "hash",
    "obscured", "placeholder",
  ]
  private static let hiding: Set = [
    "hash", "hashed", "sha", "redact", "redacted", "mask", "masked", "seal", "encrypt", "encrypted",
    "hmac", "digest", "obfuscate", "obfuscated", "count", "length", "authentication", "fingerprint",
    "censor", "anonymize",
  ]
}
