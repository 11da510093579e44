import Foundation
import Glibc

/// A process that dies with the test, whatever becomes of the test.
public final class Child {
  public let pid: pid_t
  private var ended: Int32?

  /// - Parameters:
  ///   - words: the program's path and its arguments.
  ///   - user: whom it runs as; nil for root.
  ///   - terminal: a descriptor that becomes its controlling terminal and its standard streams.
  ///   - input, output: descriptors; nil for none.
  ///   - error: a file; empty for none.
  public init(
    _ words: [String], environment: [String: String], user: uid_t? = nil, terminal: Int32? = nil,
    input: Int32? = nil, output: Int32? = nil, error: String = ""
  ) throws {
    var command = ["/usr/bin/setpriv", "--pdeathsig", "KILL"]
    if let user { command += ["--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"] }
    command += ["/usr/bin/setsid"] + (terminal == nil ? [] : ["-c"]) + words
    pid = try Spawner.shared.spawn(
      Spawner.Order(
        words: command,
        environment: environment.merging(Sanitizer.environment) { $1 }.map { "\($0)=\($1)" },
        input: terminal ?? input, output: terminal ?? output, errorPath: error,
        error: terminal))
  }

  deinit { end() }

  /// Whether a process of that number still runs: one that waits to be reaped does not.
  public static func runs(_ pid: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let state = text.split(separator: ")").last?.first(where: { $0 != " " })
    else { return false }
    return state != "Z"
  }

  /// Kills it if it still runs.
  public func end() {
    if ended == nil { kill(pid, SIGKILL) }
    _ = status(seconds: 10)
  }

  public var isRunning: Bool { status(seconds: 0) == nil }

  /// The exit status, or 128 plus the signal; nil when it does not end in time.
  public func status(seconds: Double) -> Int32? {
    if let ended { return ended }
    let limit = Date().addingTimeInterval(seconds)
    while true {
      var raw: Int32 = 0
      let result = waitpid(pid, &raw, WNOHANG)
      if result == pid || (result < 0 && errno == ECHILD) {
        ended = raw & 0x7f == 0 ? (raw >> 8) & 0xff : 128 + (raw & 0x7f)
        return ended
      }
      guard Date() < limit else { return nil }
      usleep(2000)
    }
  }
}
