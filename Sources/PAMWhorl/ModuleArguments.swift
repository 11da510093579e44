import CLinux

/// The words after the module's name in a PAM file.
@safe
struct ModuleArguments {
  /// What a line asks of the module.
  enum Role {
    case verify, capture, session, password
  }

  static let defaultTimeout: Int64 = 10_000
  private static let longestTimeout: Int64 = 120

  private(set) var role: Role?
  /// Milliseconds for all of a verify.
  private(set) var timeout = Self.defaultTimeout
  /// Whether every word is known: a misspelled one must not silently mean something else.
  private(set) var isUnderstood = true
  /// The daemon's socket; nil for the built-in path.
  private(set) var socket: UnsafePointer<CChar>?

  init(_ count: Int32, _ words: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
    guard count > 0, let words = unsafe words else { return }
    for index in 0..<Int(count) {
      // SAFETY: libpam hands over `count` C strings that live as long as the call.
      guard let word = unsafe words[index] else { continue }
      unsafe take(word)
    }
  }

  private mutating func take(_ word: UnsafePointer<CChar>) {
    // SAFETY: a C string of libpam's, read up to its end.
    if unsafe CText.equals(word, "verify") {
      set(.verify)
    } else if unsafe CText.equals(word, "capture") {
      set(.capture)
    } else if unsafe CText.equals(word, "session") {
      set(.session)
    } else if unsafe CText.equals(word, "password") {
      set(.password)
    } else if let value = unsafe CText.rest(of: word, after: "timeout=") {
      if let seconds = unsafe Self.number(value), (1...Self.longestTimeout).contains(seconds) {
        timeout = seconds * 1000
      } else {
        isUnderstood = false
      }
    } else if let value = unsafe CText.rest(of: word, after: "socket=/") {
      // With the slash that ends the word compared: only an absolute path is one.
      unsafe socket = value - 1
    } else {
      isUnderstood = false
    }
  }

  private mutating func set(_ role: Role) {
    if self.role != nil { isUnderstood = false }
    self.role = role
  }

  private static func number(_ text: UnsafePointer<CChar>) -> Int64? {
    var value: Int64 = 0
    // SAFETY: the end of the string ends the loop, as does a number of more than five digits.
    var next = unsafe text
    repeat {
      let digit = unsafe Int64(next.pointee) - 48
      guard (0...9).contains(digit), value < 10_000 else { return nil }
      value = value * 10 + digit
      unsafe next += 1
    } while unsafe next.pointee != 0
    return value
  }
}
