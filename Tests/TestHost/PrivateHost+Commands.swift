import Foundation
import Glibc

/// What a program left behind.
public struct CommandResult: Sendable {
  public let status: Int32
  public let output: String
  public let error: String
}

/// Runs the command line as its users do.
extension PrivateHost {
  /// The account that the tests' items belong to.
  public static let games: uid_t = 5
  public static let other: uid_t = 33

  /// What a terminal shows where a finger or the password is wanted, and where only a finger is.
  public static let touchOrType = "Touch the fingerprint reader, or type your password: "
  public static let touch = "Touch the fingerprint reader: "

  var commandEnvironment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "WHORL_SOCKET": socket, "LANG": "C.UTF-8", "HOME": folder,
      "TERM": "xterm",
    ]
  }

  /// `whorl` without a terminal.
  @discardableResult
  public func whorl(
    _ arguments: [String], input: String = "", user: uid_t? = PrivateHost.games,
    prefix: [String] = [],
    seconds: Double = 10
  ) throws -> CommandResult {
    try run(prefix + [command] + arguments, input: input, user: user, seconds: seconds)
  }

  /// `whorl` on a terminal.
  public func terminal(_ arguments: [String], user: uid_t? = PrivateHost.games) throws -> Terminal {
    try Terminal([command] + arguments, environment: commandEnvironment, user: user)
  }

  /// Any program on a terminal.
  public func terminal(program words: [String], user: uid_t? = PrivateHost.games) throws -> Terminal
  {
    try Terminal(words, environment: commandEnvironment, user: user)
  }

  public func run(
    _ words: [String], input: String = "", user: uid_t? = nil, seconds: Double = 10
  ) throws -> CommandResult {
    let name = "\(folder)/run-\(UUID().uuidString)"
    defer { for suffix in ["in", "out", "err"] { unlink("\(name).\(suffix)") } }
    try input.write(toFile: "\(name).in", atomically: false, encoding: .utf8)
    let source = open("\(name).in", O_RDONLY | O_CLOEXEC)
    let target = open("\(name).out", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(source)
      close(target)
    }
    let child = try Child(
      words, environment: commandEnvironment, user: user, input: source, output: target,
      error: "\(name).err")
    guard let status = child.status(seconds: seconds) else {
      throw Missing("\(words) does not end")
    }
    return CommandResult(
      status: status, output: Self.text("\(name).out"), error: Self.text("\(name).err"))
  }

  /// What a file holds.
  public static func text(_ path: String) -> String {
    String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
  }
}
