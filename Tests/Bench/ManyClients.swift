import Glibc
import TestHost
import WhorlClient
import Wire

/// 64 clients at once, each a process with a connection of its own.
enum ManyClients {
  private static let clients = 64
  private static let rounds = 5
  private static let seconds = 3

  static func measure(_ host: PrivateHost, _ keyring: Keyring, _ report: inout Report) throws {
    report.head("\(clients) clients at once")
    let reader = Program(
      words: ["\(PrivateHost.programs)/whorl-bench-client", "\(seconds)"],
      environment: ["WHORL_SOCKET=\(host.socket)"])
    let other = Program(
      words: [Keyring.client, "\(seconds)"], environment: keyring.environment)
    var whorl: [[UInt64]] = []
    var gnome: [[UInt64]] = []
    for _ in 0..<rounds {
      whorl.append(try run(reader))
      gnome.append(try run(other))
    }
    report.keep("reads of each of 64 clients of whorl", whorl.flatMap { $0 })
    report.keep("reads of each of 64 clients of gnome-keyring", gnome.flatMap { $0 })
    let sums = (whorl.map { $0.reduce(0, +) }, gnome.map { $0.reduce(0, +) })
    report.row("whorl", Double(sums.0.median) / Double(seconds), "reads/s")
    report.row(
      "gnome-keyring by libsecret", Double(sums.1.median) / Double(seconds), "reads/s")
    report.row("whorl to gnome-keyring", ratio(sums.0, to: sums.1), "×", .atLeast(25))
    report.row(
      "slowest client to fastest", whorl.map { Double($0.min()!) / Double($0.max()!) }.median,
      "×", .atLeast(0.5))
  }

  /// How often each client read while all of them did.
  private static func run(_ program: Program) throws -> [UInt64] {
    let start = try Pipe()
    let answers = try (0..<clients).map { _ in try Pipe() }
    let processes = try answers.map {
      try program.spawn(input: start.output, output: $0.input)
    }
    for answer in answers {
      answer.closeInput()
      guard answer.read() == "r" else { throw PrivateHost.Missing("a client") }
    }
    start.closeInput()
    let counts = answers.map { UInt64($0.read().dropLast()) ?? 0 }
    for process in processes { try program.wait(process) }
    return counts
  }
}

/// A pipe whose ends no other program inherits.
private final class Pipe {
  let output: Int32
  private(set) var input: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw PrivateHost.Missing("a pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (output, input) = (ends[0], ends[1])
  }

  deinit {
    close(output)
    closeInput()
  }

  func closeInput() {
    close(input)
    input = -1
  }

  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(output, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
  }
}
