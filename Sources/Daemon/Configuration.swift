/// The daemon's configuration: `key = value` lines, `#` comments, nothing nested.
///
/// Every path and limit has a default, so an empty file is a whole configuration. An unknown key
/// or a bad value is an error: a misspelled limit must not silently be the default.
public struct Configuration: Equatable, Sendable {
  public var socket = "/run/whorl/whorl.sock"
  public var state = "/var/lib/whorl"
  public var runtime = "/run/whorl-state"
  public var workerSocket = "/run/whorl-worker/worker.sock"
  public var printReaderSocket = "/run/whorl-worker/print-reader.sock"
  /// Empty for the system's own PAM folders.
  public var pamDirectory = ""
  public var prints = "/var/lib/fprint"
  public var busAddress = "unix:path=/run/dbus/system_bus_socket"
  public var passwd = "/etc/passwd"
  /// Tells with its change that a password may have been set or locked; only its times are looked at.
  public var shadow = "/etc/shadow"
  /// What holds where logind does not run.
  public var withoutLogind = WithoutLogind.refuse
  /// Who knows whether an account has a usable password.
  public var passcodes = Passcodes.shadow
  /// Bytes of sealed items for one user.
  public var quota: Int64 = 64 * 1024 * 1024
  public var connectionsPerUser = 64
  /// Requests of one user that wait for a person.
  public var promptsPerUser = 8
  /// Milliseconds.
  public var helloLimit: UInt64 = 2_000
  public var shownLimit: UInt64 = 2_000
  public var promptLimit: UInt64 = 30_000
  /// Milliseconds between the end of a verify and the next arming.
  public var rearmDelay: UInt64 = 1_000
  public var writeLimit: UInt64 = 10_000

  public enum WithoutLogind: String, Sendable {
    /// Nobody is at the reader, and every session is locked.
    case refuse
    /// Everyone is at the reader of an unlocked host: for hosts with one person and no logind.
    case allow
  }

  public enum Passcodes: String, Sendable {
    /// The shadow database, and PAM for accounts that are not in it.
    case shadow
    /// PAM alone: for hosts whose passwords are kept elsewhere.
    case pam
  }

  public init() {}

  /// Why a configuration is refused.
  public struct Problem: Error, Equatable, Sendable {
    public let line: Int
    public let text: String
  }

  /// - Throws: the first line that is not understood.
  public init(parsing text: String) throws(Problem) {
    // In bytes: as a character, the end of a line may be joined with what stands before it.
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let content = Self.trim(line)
      if content.isEmpty || content.first == UInt8(ascii: "#") { continue }
      guard let equals = content.firstIndex(of: UInt8(ascii: "=")) else {
        throw Problem(line: index + 1, text: "expected key = value")
      }
      let key = String(Substring(Self.trim(content[..<equals])))
      let value = String(Substring(Self.trim(content[equals...].dropFirst())))
      guard try set(key, value, line: index + 1) else {
        throw Problem(line: index + 1, text: "bad value for \(key)")
      }
    }
  }

  private mutating func set(_ key: String, _ value: String, line: Int) throws(Problem) -> Bool {
    switch key {
    case "socket": return path(value, \.socket)
    case "state": return path(value, \.state)
    case "runtime": return path(value, \.runtime)
    case "worker-socket": return path(value, \.workerSocket)
    case "print-reader-socket": return path(value, \.printReaderSocket)
    case "pam-directory": return path(value, \.pamDirectory)
    case "prints": return path(value, \.prints)
    case "passwd": return path(value, \.passwd)
    case "shadow": return path(value, \.shadow)
    case "bus-address":
      busAddress = value
      return value.hasPrefix("unix:") && !value.utf8.contains(0)
    case "without-logind":
      guard let choice = WithoutLogind(rawValue: value) else { return false }
      withoutLogind = choice
      return true
    case "passcodes":
      guard let choice = Passcodes(rawValue: value) else { return false }
      passcodes = choice
      return true
    case "quota": return number(value, 1...1 << 40, \.quota)
    case "connections-per-user": return number(value, 1...100_000, \.connectionsPerUser)
    case "prompts-per-user": return number(value, 1...64, \.promptsPerUser)
    case "hello-limit": return number(value, 1...60_000, \.helloLimit)
    case "shown-limit": return number(value, 1...60_000, \.shownLimit)
    case "prompt-limit": return number(value, 1...600_000, \.promptLimit)
    case "rearm-delay": return number(value, 0...60_000, \.rearmDelay)
    case "write-limit": return number(value, 1...600_000, \.writeLimit)
    default: throw Problem(line: line, text: "unknown key \(key)")
    }
  }

  private mutating func path(_ value: String, _ key: WritableKeyPath<Self, String>) -> Bool {
    self[keyPath: key] = value
    return value.utf8.first == UInt8(ascii: "/") && !value.utf8.contains(0)
  }

  private mutating func number<Number: FixedWidthInteger>(
    _ value: String, _ range: ClosedRange<Int64>, _ key: WritableKeyPath<Self, Number>
  ) -> Bool {
    guard let number = Int64(value), range.contains(number) else { return false }
    self[keyPath: key] = Number(number)
    return true
  }

  private static func trim(_ text: Substring.UTF8View) -> Substring.UTF8View {
    let blanks = Array(" \t\r".utf8)
    var text = text
    while let first = text.first, blanks.contains(first) { text.removeFirst() }
    while let last = text.last, blanks.contains(last) { text.removeLast() }
    return text
  }
}
