import AccessControl
import Foundation
import Glibc
import SecretMemory
import TestHost
import WhorlKit
import Wire

/// A daemon that may be killed, starved and restarted as often as a test wants, with the worker of
/// a private host. Nobody is asked for anything: there is no logind, and the config allows that.
final class Service {
  let host: PrivateHost
  let keychain: Keychain
  private(set) var child: Child?
  /// When its calls are watched.
  var calls: SystemCalls?
  /// Words before the program's, such as `prlimit`.
  var prefix: [String] = []

  static var launcher: String { "\(PrivateHost.programs)/fault-launcher" }

  var state: String { "\(host.folder)/state" }
  var socket: String { "\(host.folder)/whorl.sock" }
  var configuration: String { "\(host.folder)/faults.conf" }
  var logPath: String { "\(host.folder)/faults.log" }
  var log: String { (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? "" }
  var pid: pid_t { child?.pid ?? -1 }

  init(_ lines: [String] = []) throws {
    host = try PrivateHost()
    keychain = Keychain(
      transport: SocketTransport(
        path: Array("\(host.folder)/whorl.sock".utf8), trustsAnyServer: true))
    try configure(lines)
  }

  deinit { child?.end() }

  func configure(_ lines: [String]) throws {
    let own = [
      "socket = \(socket)", "state = \(state)", "runtime = \(host.folder)/runtime",
      "worker-socket = \(host.workerSocket)", "print-reader-socket = \(host.readerSocket)",
      "pam-directory = \(host.services)", "prints = \(host.prints)",
      "bus-address = \(host.busAddress)", "passcodes = pam", "without-logind = allow", "",
    ]
    try (lines + own).joined(separator: "\n").write(
      toFile: configuration, atomically: true, encoding: .utf8)
  }

  /// Starts it without waiting for anything.
  func launch() throws {
    child?.end()
    let watched = calls.map { [Self.launcher, $0.socket, $0.names.joined(separator: ",")] } ?? []
    child = try Child(
      prefix + watched + ["\(PrivateHost.programs)/whorld", "--config", configuration],
      environment: ["PATH": "/usr/bin:/bin"], error: logPath)
    if let calls, let child { try calls.serve(process: child.pid) }
  }

  /// Starts it and waits until it accepts clients.
  func start() throws {
    try launch()
    let limit = Date().addingTimeInterval(10)
    while !RawClient.isAccepted(socket) {
      guard child?.isRunning == true, Date() < limit else {
        throw PrivateHost.Missing("the daemon does not start: \(log)")
      }
      usleep(500)
    }
  }

  /// Starts it where it must refuse to.
  ///
  /// - Returns: what it said; nil when it runs.
  func refusal() throws -> String? {
    try? FileManager.default.removeItem(atPath: logPath)
    try launch()
    guard let status = child?.status(seconds: 5), status == 1 else { return nil }
    return log
  }

  func signal(_ signal: Int32) { Glibc.kill(pid, signal) }

  @discardableResult
  func stop(_ signal: Int32 = SIGKILL) -> Int32? {
    self.signal(signal)
    return status(within: 10)
  }

  /// The status with which it ends; nil when it does not in so many seconds.
  func status(within seconds: Double) -> Int32? { child?.status(seconds: seconds) }

  var isRunning: Bool { child?.isRunning == true }

  /// The library's client as another user of the machine.
  func keychain(of user: uid_t) -> Keychain {
    Keychain(transport: UserTransport(path: socket, user: user))
  }

  /// Milliseconds until a user's list is answered on a new connection.
  func delay(of user: uid_t) throws -> Double {
    let start = ContinuousClock.now
    _ = try keychain(of: user).list()
    return (ContinuousClock.now - start) / .milliseconds(1)
  }
}

extension Keychain {
  func add(
    _ name: String, _ secret: [UInt8], label: String = "", policy: String = "none",
    password: [UInt8]? = nil, replacing: Bool = false
  ) throws(KeychainError) {
    var attributes = Attributes()
    if !label.isEmpty { attributes["labl"] = Array(label.utf8) }
    let control: AccessControl
    do { control = try AccessControl(text: policy) } catch { throw KeychainError(.badParameter) }
    let item = NewItem(identity: .named(name), attributes: attributes, accessControl: control)
    let bytes = try Self.locked(secret)
    var own: SecretBytes?
    if let password { own = try Self.locked(password) }
    if replacing {
      try addReplacing(item, secret: bytes, applicationPassword: own)
    } else {
      try add(item, secret: bytes, applicationPassword: own)
    }
  }

  func change(
    _ name: String, _ secret: [UInt8]? = nil, label: String
  ) throws(KeychainError) {
    var attributes = Attributes()
    attributes["labl"] = Array(label.utf8)
    var bytes: SecretBytes?
    if let secret { bytes = try Self.locked(secret) }
    try update(.named(name), Changes(attributes: attributes), secret: bytes)
  }

  func value(_ name: String) throws(KeychainError) -> [UInt8] {
    try read(.named(name)).plain
  }

  static func locked(_ bytes: [UInt8]) throws(KeychainError) -> SecretBytes {
    do { return try SecretBytes(copying: bytes.span) } catch { throw KeychainError(.busy) }
  }
}

/// How a call failed; nil when it did not.
func failure(_ call: () throws -> Any) -> KeychainError? {
  do {
    _ = try call()
    return nil
  } catch { return error as? KeychainError }
}

extension SecretBytes {
  var plain: [UInt8] { withBytes { span in (0..<span.count).map { span[$0] } } }
}

extension ItemIdentity {
  static func named(_ name: String) -> ItemIdentity {
    ItemIdentity(group: Array("whorl".utf8), service: [], account: Array(name.utf8))
  }

  var account: String { String(decoding: self["acct"] ?? [], as: UTF8.self) }
}

extension ItemRow {
  var label: String { String(decoding: attributes["labl"] ?? [], as: UTF8.self) }
}
