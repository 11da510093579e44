import Foundation
import Glibc
import Testing

/// Runs the built `whorl` and keeps what it wrote, with or without a terminal of its own.
final class Program {
  struct Result {
    /// The exit status, or 128 + 9 and so on for a signal.
    let status: Int32
    let output: [UInt8]
    let errors: String

    var text: String { String(decoding: output, as: UTF8.self) }
  }

  /// The folder of the test bundle, where the programs are built as well.
  static let path: String = {
    let arguments = CommandLine.arguments
    let bundle =
      arguments.firstIndex(of: "--test-bundle-path").map { arguments[$0 + 1] } ?? arguments[0]
    return URL(fileURLWithPath: bundle).deletingLastPathComponent().path + "/whorl"
  }()

  private let process: pid_t
  private let output: Int32
  private let errors: Int32
  /// The person's end of the terminal; -1 without one.
  let terminal: Int32

  /// Starts the program in a session of its own.
  ///
  /// - Parameters:
  ///   - input: what the standard input holds; nil puts the terminal, or nothing, there.
  ///   - hasTerminal: whether there is a controlling terminal.
  ///   - closed: standard streams that are closed.
  ///   - outputPath: a file in place of the standard output.
  init(
    _ arguments: [String], socket: String? = nil, input: [UInt8]? = nil, hasTerminal: Bool = false,
    environment: [String: String] = [:], closed: [Int32] = [], outputPath: String? = nil
  ) throws {
    var outputs: [Int32] = [-1, -1]
    var problems: [Int32] = [-1, -1]
    var inputs: [Int32] = [-1, -1]
    try #require(Self.pipe(&outputs) && Self.pipe(&problems) && Self.pipe(&inputs))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if hasTerminal {
      let (master, path) = try Self.pseudoTerminal()
      terminal = master
      // The first terminal that a session's leader opens becomes its controlling one.
      posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    } else {
      terminal = -1
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    if input != nil { posix_spawn_file_actions_adddup2(&actions, inputs[0], 0) }
    posix_spawn_file_actions_adddup2(&actions, outputs[1], 1)
    posix_spawn_file_actions_adddup2(&actions, problems[1], 2)
    if let outputPath {
      posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY, 0)
    }
    for descriptor in closed { posix_spawn_file_actions_addclose(&actions, descriptor) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A worker thread of the test runner blocks signals, and a shell may have ignored some.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // SETSIGDEF, SETSIGMASK and SETSID of POSIX_SPAWN.
    posix_spawnattr_setflags(&attributes, 0x04 | 0x08 | 0x80)

    var variables = ["PATH": "/usr/bin:/bin", "TZ": "UTC"].merging(environment) { $1 }
    // Where a sanitizer writes its reports.
    for (name, value) in ProcessInfo.processInfo.environment where name.hasSuffix("SAN_OPTIONS") {
      variables[name] = value
    }
    variables["WHORL_SOCKET"] = socket
    var argv: [UnsafeMutablePointer<CChar>?] = ([Self.path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup($0.key + "=" + $0.value) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let status = posix_spawn(&pid, Self.path, &actions, &attributes, &argv, &envp)
    try #require(status == 0, "cannot start \(Self.path): build the product whorl")
    process = pid
    output = outputs[0]
    errors = problems[0]
    for descriptor in [outputs[1], problems[1], inputs[0]] { close(descriptor) }
    // The program may end before it reads. What it starts with is the default, see above.
    Glibc.signal(SIGPIPE, SIG_IGN)
    _ = input.map { write(inputs[1], $0, $0.count) }
    close(inputs[1])
  }

  /// The person's end and the path of the program's.
  private static func pseudoTerminal() throws -> (Int32, String) {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let (unlock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))  // TIOCSPTLCK, TIOCGPTN
    var lock: Int32 = 0
    var number: Int32 = 0
    try #require(master >= 0)
    try #require(ioctl(master, unlock, &lock) == 0)
    try #require(ioctl(master, getNumber, &number) == 0)
    return (master, "/dev/pts/\(number)")
  }

  private static func pipe(_ ends: inout [Int32]) -> Bool {
    guard Glibc.pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
  }

  /// Runs it to its end.
  static func run(
    _ arguments: String..., socket: String? = nil, input: [UInt8]? = nil,
    environment: [String: String] = [:]
  ) throws -> Result {
    try Program(arguments, socket: socket, input: input, environment: environment).wait()
  }

  /// Waits for the end.
  func wait() -> Result {
    let written = Self.all(output)
    let complaints = Self.all(errors)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    if terminal >= 0 { close(terminal) }
    let code = status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
    return Result(
      status: code, output: written, errors: String(decoding: complaints, as: UTF8.self))
  }

  func type(_ text: String) {
    _ = write(terminal, text, text.utf8.count)
  }

  func signal(_ number: Int32) { kill(process, number) }

  /// Whether the program is stopped by a signal, within 5 seconds.
  func isStopped() -> Bool {
    for _ in 0..<100 {
      let line = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
      if line.contains(") T ") { return true }
      usleep(50_000)
    }
    return false
  }

  /// Reads the terminal until it shows `text`, for 5 seconds. - Returns: all that was shown.
  func shows(_ text: String) -> String? {
    var seen: [UInt8] = []
    let limit = Date(timeIntervalSinceNow: 5)
    while Date() < limit {
      var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, 100) > 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = read(terminal, &buffer, buffer.count)
      guard count > 0 else { return nil }
      seen += buffer[..<count]
      let shown = String(decoding: seen, as: UTF8.self)
      if shown.contains(text) { return shown }
    }
    return nil
  }

  var echoes: Bool {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return settings.c_lflag & tcflag_t(ECHO) != 0
  }

  private static func all(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    close(descriptor)
    return bytes
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
