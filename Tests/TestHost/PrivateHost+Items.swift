import Glibc
import Testing

/// A person's items, and the person at the prompt.
extension PrivateHost {
  /// A host with everything, and one finger of the tests' user.
  public static func complete(_ lines: [String] = []) throws -> PrivateHost {
    let host = try PrivateHost()
    try host.startAll(lines)
    try host.enroll("alice", user: "games")
    return host
  }

  /// Stores an item as the tests' user.
  public func add(
    _ name: String, _ secret: String = "hunter2", access: String? = nil,
    _ options: [String] = []
  ) throws {
    let access = access.map { ["--access", $0] } ?? []
    let result = try whorl(["add", name] + access + options, input: secret)
    #expect(result.status == 0, "\(result.error)")
  }

  /// A read on a terminal that is waiting for a person.
  public func reading(
    _ name: String, _ question: String = PrivateHost.touchOrType, user: uid_t = PrivateHost.games
  )
    throws -> Terminal
  {
    let terminal = try terminal(["read", name], user: user)
    try terminal.expect(question)
    return terminal
  }

  public func read(_ name: String, touching finger: String) throws -> Terminal {
    let terminal = try reading(name, PrivateHost.touch)
    try scan(finger)
    return terminal
  }

  /// Whether somebody holds the reader now.
  public var readerIsTaken: Bool {
    guard (try? device("Claim", [.string("games")]).get()) != nil else { return true }
    return (try? device("Release").get()) == nil
  }

  /// Whether the reader can be claimed within the time.
  public func readerIsFree(within seconds: Double) -> Bool {
    do {
      try wait("the reader to be free", seconds: seconds) {
        (try? device("Claim", [.string("games")]).get()) != nil
      }
      _ = try device("Release").get()
      return true
    } catch {
      let claim = Result { try device("Claim", [.string("games")]) }
      Issue.record("\(error): \(claim), \(log("fprintd").suffix(600))")
      return false
    }
  }
}
