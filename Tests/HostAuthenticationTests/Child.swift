import Foundation
import Glibc

/// A process of the test, by posix_spawn: Foundation's needs a run loop to notice an exit.
final class Child {
  let pid: pid_t
  private var isReaped = false

  struct Failure: Error {
    let code: Int32
  }

  init(
    _ program: String, _ arguments: [String], environment: [String: String], log: String
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A group of its own, so that a stopped child does not make the kernel hang up the test.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGMASK))
    // The test's thread may block signals that the child lives by.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    let texts = ([program] + arguments).map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in texts + variables { free(text) } }
    var pid = pid_t()
    let code = posix_spawn(&pid, program, &actions, &attributes, texts, variables)
    guard code == 0 else { throw Failure(code: code) }
    self.pid = pid
  }

  /// Whether a process of that number still runs: one that waits to be reaped does not.
  static func runs(_ pid: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let state = text.split(separator: ")").last?.first(where: { $0 != " " })
    else { return false }
    return state != "Z"
  }

  /// Runs a program to its end.
  /// - Returns: its exit status, or -1.
  static func run(_ program: String, _ arguments: [String]) -> Int32 {
    guard
      let child = try? Child(
        program, arguments, environment: ["PATH": "/usr/bin:/bin"], log: "/dev/null")
    else { return -1 }
    var status: Int32 = 0
    waitpid(child.pid, &status, 0)
    child.isReaped = true
    return status & 0x7f == 0 ? status >> 8 & 0xff : -1
  }

  func send(_ signal: Int32) {
    if !isReaped { kill(pid, signal) }
  }

  func end() {
    guard !isReaped else { return }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
    isReaped = true
  }

  deinit { end() }
}
