import Foundation
import Glibc

/// Starts processes on one thread that lives as long as the tests: the kernel ends a child that
/// asked to die with its parent when the *thread* that made it ends.
final class Spawner: @unchecked Sendable {
  struct Order: Sendable {
    var words: [String]
    var environment: [String]
    var input: Int32?
    var output: Int32?
    var errorPath: String
    var error: Int32?
  }

  static let shared = Spawner()

  // Everything below is guarded by the condition.
  private let condition = NSCondition()
  private var orders: [(number: Int, order: Order)] = []
  private var results: [Int: Result<pid_t, PrivateHost.Missing>] = [:]
  private var last = 0

  private init() {
    Thread { [self] in
      while true {
        condition.lock()
        while orders.isEmpty { condition.wait() }
        let (number, order) = orders.removeFirst()
        condition.unlock()
        let result = Self.start(order)
        condition.lock()
        results[number] = result
        condition.broadcast()
        condition.unlock()
      }
    }.start()
  }

  func spawn(_ order: Order) throws -> pid_t {
    condition.lock()
    defer { condition.unlock() }
    last += 1
    let number = last
    orders.append((number, order))
    condition.broadcast()
    while true {
      if let result = results.removeValue(forKey: number) { return try result.get() }
      condition.wait()
    }
  }

  private static func start(_ order: Order) -> Result<pid_t, PrivateHost.Missing> {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, source) in [(0 as Int32, order.input), (1, order.output), (2, order.error)] {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, target)
      } else {
        let path = target != 0 && !order.errorPath.isEmpty ? order.errorPath : "/dev/null"
        posix_spawn_file_actions_addopen(
          &actions, target, path, O_RDWR | O_CREAT | O_APPEND, 0o600)
      }
    }
    // Descriptors that some library opened without O_CLOEXEC stay here.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in open.compactMap({ Int32($0) }) where descriptor > 2 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = order.words.map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = order.environment.map { strdup($0) } + [nil]
    defer { for pointer in arguments + environment { free(pointer) } }
    var pid: pid_t = 0
    let code = posix_spawn(&pid, order.words[0], &actions, &attributes, &arguments, &environment)
    return code == 0
      ? .success(pid) : .failure(PrivateHost.Missing("cannot start \(order.words): \(code)"))
  }
}
