import Glibc
import TestHost

/// A process that is started and waited for, with nothing between.
struct Program {
  let words: [String]
  var environment: [String] = []

  /// Nanoseconds from its start to its end.
  func time() throws -> UInt64 {
    let start = now()
    let pid = try spawn()
    try wait(pid)
    return now() - start
  }

  /// - Parameters:
  ///   - input: becomes its standard input.
  ///   - output: becomes its standard output; without, what it says is dropped.
  func spawn(input: Int32? = nil, output: Int32? = nil) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    if let output {
      posix_spawn_file_actions_adddup2(&actions, output, 1)
    } else {
      posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    }
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, words[0], &actions, nil, &arguments, &variables)
    guard code == 0 else { throw PrivateHost.Missing("cannot start \(words[0]): \(code)") }
    return pid
  }

  func wait(_ pid: pid_t) throws {
    var status: Int32 = 0
    waitpid(pid, &status, 0)
    guard status == 0 else { throw PrivateHost.Missing("\(words) ended with \(status >> 8)") }
  }
}
