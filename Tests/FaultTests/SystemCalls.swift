import CFaults
import Foundation
import Glibc
import Linux
import TestHost

/// The system calls of a daemon that was started by `fault-launcher`: each waits until the test
/// says whether it goes on, fails, or ends the daemon. So a fault comes from where real ones do,
/// below SQLite and every library.
final class SystemCalls: @unchecked Sendable {
  enum Verdict {
    case go
    case fail(Int32)
    case kill
  }

  struct Call {
    let name: String
    /// The file it is about: by its path, or by a descriptor of it.
    let path: String
  }

  /// Everything that changes files or makes them lasting.
  static let writes = [
    "write", "pwrite64", "fsync", "fdatasync", "ftruncate", "fallocate", "rename", "renameat",
    "unlink", "unlinkat", "mkdir", "mkdirat",
  ]
  static let opens = ["open", "openat"]
  private static let byPath: Set = [
    "open", "openat", "rename", "renameat", "unlink", "unlinkat", "mkdir", "mkdirat",
  ]

  let socket: String
  let names: [String]
  private let listening: ListeningSocket
  private let lock = NSLock()
  private var decide: (Call) -> Verdict = { _ in .go }

  init(folder: String, _ names: [String]) throws {
    socket = "\(folder)/faults.sock"
    self.names = names
    listening = try ListeningSocket(path: socket)
  }

  /// Who decides from now on, on a thread of its own.
  func decide(_ body: @escaping (Call) -> Verdict) { lock.withLock { decide = body } }

  func letAllGo() { decide { _ in .go } }

  /// Takes over the calls of the launcher that was just started.
  func serve(process: pid_t) throws {
    let limit = Date().addingTimeInterval(10)
    var accepted = try listening.accept()
    while accepted == nil {
      guard Date() < limit else { throw PrivateHost.Missing("the launcher does not connect") }
      usleep(500)
      accepted = try listening.accept()
    }
    let connection = accepted!
    var poller = pollfd(fd: connection.raw, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, 10_000) == 1, case let raw = faults_take(connection.raw), raw >= 0
    else { throw PrivateHost.Missing("system calls cannot be watched here") }
    let numbers = Dictionary(
      names.compactMap { name in
        let number = faults_number(name)
        return number < 0 ? nil : (number, name)
      }, uniquingKeysWith: { first, _ in first })
    Thread { [self] in
      defer { close(raw) }
      var call = faults_call()
      while Self.wait(raw) {
        guard faults_next(raw, &call) == 0 else { continue }
        let name = numbers[call.number] ?? "?"
        switch lock.withLock({ decide })(Call(name: name, path: Self.path(call, name))) {
        case .go: _ = faults_answer(raw, call.id, 0)
        case .fail(let error): _ = faults_answer(raw, call.id, error)
        case .kill: kill(process, SIGKILL)
        }
      }
    }.start()
  }

  /// - Returns: false when the process is gone.
  private static func wait(_ listener: Int32) -> Bool {
    var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, -1) > 0 else { return true }
    return poller.revents & Int16(POLLIN) != 0
  }

  private static func path(_ call: faults_call, _ name: String) -> String {
    guard byPath.contains(name) else {
      return link("/proc/\(call.process)/fd/\(Int32(truncatingIfNeeded: call.arguments.0))")
    }
    return text(call.process, name.hasSuffix("at") ? call.arguments.1 : call.arguments.0)
  }

  private static func link(_ path: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      readlink(path, bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  private static func text(_ process: Int32, _ address: UInt64) -> String {
    let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    defer { close(memory) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    // A text near the end of its page is read up to there.
    var count = pread(memory, &buffer, buffer.count, off_t(bitPattern: address))
    if count <= 0 {
      count = pread(memory, &buffer, 4096 - Int(address % 4096), off_t(bitPattern: address))
    }
    return String(decoding: buffer[..<max(0, count)].prefix { $0 != 0 }, as: UTF8.self)
  }
}

extension off_t {
  fileprivate init(bitPattern: UInt64) { self = off_t(Int64(bitPattern: bitPattern)) }
}
