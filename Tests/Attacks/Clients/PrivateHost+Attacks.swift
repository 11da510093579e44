import Foundation
import Glibc
import TestHost
import Testing
import Wire

extension PrivateHost {
  static let secret = "Vq3-unlikely-secret"
  static let password = "sesame"

  /// A host with sessions and passwords, and no reader.
  static func plain(_ lines: [String] = []) throws -> PrivateHost {
    let host = try PrivateHost()
    try host.startLogind()
    try host.addSession("c1")
    try host.addSession("c2", user: PrivateHost.other, name: "www-data")
    try host.startDaemon(lines)
    return host
  }

  /// A host with a reader too, and one finger of the tests' user; this process counts as one of
  /// the session at the seat, whoever it connects as.
  static func withReader(_ lines: [String] = []) throws -> PrivateHost {
    let host = try PrivateHost()
    try host.startAll(lines)
    try host.setSession("c1", process: getpid())
    try host.enroll("alice", user: "games")
    return host
  }

  /// Stores an item through the socket.
  func store(
    _ name: String, _ access: String = "none", secret: String = PrivateHost.secret,
    reuse: UInt32 = 0, user: uid_t = PrivateHost.games, replacing: Bool = false
  ) throws {
    let client = try RawClient(self, user: user)
    client.send(
      Raw.hello + Raw.secret(secret)
        + Raw.frame(Raw.add(name, access, reuse: reuse, replacing: replacing)))
    #expect(client.outcome() == .done)
  }

  /// What a new client of the user's gets for a read without a person.
  func reads(_ name: String, user: uid_t = PrivateHost.games) throws -> RawClient.Outcome {
    let client = try RawClient(self, user: user)
    client.send(.hello(ClientHello()), Raw.read(name))
    return client.outcome()
  }

  /// Descriptors that the daemon has open.
  func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/\(daemon)/fd").count
  }

  /// The same when each of the tests' users was served, so that their files are open, and nobody
  /// is connected.
  func descriptorsAtRest() throws -> Int {
    for user in [PrivateHost.games, PrivateHost.other, 0] {
      #expect(try reads("absent", user: user) == .failed(.notFound))
    }
    var counts = [0, 1, 2]
    try wait("the daemon to come to rest") {
      usleep(5000)
      counts = try counts.dropFirst() + [descriptors()]
      return Set(counts).count == 1
    }
    return counts[0]
  }

  /// Kibibytes that the daemon has locked.
  func lockedMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(daemon)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmLck:") } ?? ""
    return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
  }

  /// The newest records of the user, as the daemon tells them.
  func records(user: uid_t = PrivateHost.games, _ limit: UInt32 = 10) throws -> [AuditRecord] {
    let client = try RawClient(self, user: user)
    client.send(.hello(ClientHello()), .request(Request(.log(limit: limit))))
    while true {
      switch client.next() {
      case .message(.hello): continue
      case .message(.done(.records(let records))): return records
      case let other: throw Missing("no records but \(other)")
      }
    }
  }

  var daemon: pid_t { pid("whorld") ?? 0 }

  /// Runs the body while the daemon stands still, so that what happens meanwhile reaches it at
  /// once.
  func whileStopped(_ body: () throws -> Void) rethrows {
    stop("whorld", signal: SIGSTOP)
    defer { stop("whorld", signal: SIGCONT) }
    try body()
  }

  /// The daemon that was started still runs, keeps no connection, and serves.
  func isUnharmed(since pid: pid_t, descriptors before: Int) throws {
    #expect(daemon == pid && Child.runs(pid))
    try wait("every connection to be closed") { try descriptors() <= before }
    #expect(try reads("absent") == .failed(.notFound))
  }
}
