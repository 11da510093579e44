import Foundation
import Glibc
import HostAuthentication

/// The daemon.
extension PrivateHost {
  public var socket: String { "\(folder)/whorl.sock" }
  public var state: String { "\(folder)/state" }
  /// A copy of the command line that every user can reach.
  public var command: String { "\(folder)/whorl" }

  /// Starts the daemon, and again after it was stopped.
  ///
  /// - Parameters:
  ///   - lines: more of the configuration.
  ///   - prefix: a program that becomes the daemon.
  public func startDaemon(_ lines: [String] = [], prefix: [String] = []) throws {
    if access(command, F_OK) != 0 {
      // By another process: a program started meanwhile would inherit our descriptor, and a file
      // that somebody may write to cannot be executed.
      try copy("\(Self.programs)/whorl", command)
    }
    if !lines.isEmpty || access("\(folder)/whorld.conf", F_OK) != 0 {
      try
        ([
          "socket = \(socket)", "state = \(state)", "runtime = \(folder)/runtime",
          "worker-socket = \(workerSocket)", "print-reader-socket = \(readerSocket)",
          "pam-directory = \(services)", "prints = \(prints)", "bus-address = \(busAddress)",
        ] + (lines.contains { $0.hasPrefix("passcodes") } ? [] : ["passcodes = pam"]) + lines
        + [""]).joined(separator: "\n").write(
          toFile: "\(folder)/whorld.conf", atomically: true, encoding: .utf8)
    }
    unlink(socket)
    let words = prefix + ["\(Self.programs)/whorld", "--config", "\(folder)/whorld.conf"]
    try start("whorld", words[0], Array(words.dropFirst()), "whorl itself, built")
    var answer: CommandResult?
    do {
      try wait("the daemon") { Self.listens(socket) }
      try wait("the daemon to answer") {
        answer = try whorl(["list"])
        return answer?.status == 0
      }
    } catch { throw Missing("\(error): \(answer?.error ?? "") \(log("whorld"))") }
  }

  public func restartDaemon(signal: Int32 = SIGTERM) throws {
    stop("whorld", signal: signal)
    try startDaemon()
  }

  /// Puts a helper where the command finds it, beside itself, with the mode that it must have
  /// whatever the mask was under which it was built.
  public func installHelper(_ name: String, in folder: String? = nil) throws {
    let result = try run([
      "/usr/bin/install", "-m", "755", "\(Self.programs)/\(name)", folder ?? self.folder,
    ])
    guard result.status == 0 else { throw Missing(result.error) }
  }

  /// Everything a person at the machine has: a session on the seat, a reader, and the daemon.
  public func startAll(_ lines: [String] = []) throws {
    try startLogind()
    try addSession("c1")
    try startFingerprints()
    try startDaemon(lines)
  }
}
