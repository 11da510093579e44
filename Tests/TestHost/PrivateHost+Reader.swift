import Foundation
import Glibc
import HostAuthentication
import Systemd

/// The virtual reader: who is enrolled, and whose finger is on it.
extension PrivateHost {
  private static let device = "net.reactivated.Fprint.Device"
  private static let name = "net.reactivated.Fprint"

  /// Sends one text command to the driver, which listens while the reader is claimed.
  public func reader(_ command: String) throws {
    var reply: String?
    try wait("the reader to take \(command)", seconds: 5) {
      reply = try? Self.exchange("\(folder)/device.sock", command)
      return reply != nil
    }
  }

  /// Touches the reader with a finger once a verification waits for one.
  public func scan(_ finger: String) throws {
    try waitForVerification()
    try reader("SCAN \(finger)")
  }

  public func waitForVerification(seconds: Double = 8) throws {
    // What was said on the bus since the last look.
    for _ in 0..<5 { try loop.turn(limit: 2) }
    try wait("a verification", seconds: seconds) { isVerifying }
  }

  func watchVerifications() {
    watches = [
      bus.subscribe("type='signal',interface='\(Self.device)',member='VerifyFingerSelected'") {
        [weak self] _ in self?.isVerifying = true
      },
      bus.subscribe("type='signal',interface='\(Self.device)',member='VerifyStatus'") {
        [weak self] message in if message.body.last?.bool == true { self?.isVerifying = false }
      },
    ].compactMap { $0 }
  }

  private static func exchange(_ path: String, _ command: String) throws -> String {
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw Missing("no reader") }
    _ = write(descriptor, command, command.utf8.count)
    shutdown(descriptor, Int32(SHUT_WR))
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  public func device(_ member: String, _ arguments: [BusValue] = []) throws -> Result<
    BusMessage, BusError
  > {
    let path = try devicePath()
    return try answer(member) { done in
      bus.call(
        Self.name, path: path, interface: Self.device, member: member, arguments, limit: 5000,
        completion: done)
    }
  }

  /// Claims the reader for `user`, once whoever still lets go of it has done so.
  public func claim(_ user: String) throws {
    var outcome: Result<BusMessage, BusError>?
    try? wait("the reader to be free", seconds: 8) {
      outcome = try device("Claim", [.string(user)])
      return (try? outcome?.get()) != nil
    }
    _ = try outcome?.get()
  }

  public func devicePath() throws -> String {
    let result: Result<BusMessage, BusError> = try answer("GetDefaultDevice") { done in
      bus.call(
        Self.name, path: "/net/reactivated/Fprint/Manager",
        interface: "net.reactivated.Fprint.Manager", member: "GetDefaultDevice", limit: 5000,
        completion: done)
    }
    return try result.get().body.first?.text ?? ""
  }

  /// Enrolls a finger of `user`; the virtual reader tells fingers apart by `id`.
  public func enroll(_ id: String, finger: String = "right-index-finger", user: String) throws {
    var states: [String] = []
    let slot = bus.subscribe(
      "type='signal',interface='\(Self.device)',member='EnrollStatus'"
    ) { states.append($0.body.first?.text ?? "") }
    try claim(user)
    _ = try device("EnrollStart", [.string(finger)]).get()
    var stages = 0
    try reader("SCAN \(id)")
    try wait("the enrollment") {
      let passed = states.filter { $0 == "enroll-stage-passed" }.count
      if passed > stages, !states.contains("enroll-completed") {
        stages = passed
        try reader("SCAN \(id)")
      }
      return states.contains { $0 == "enroll-completed" || $0 == "enroll-failed" }
    }
    _ = try device("EnrollStop").get()
    _ = try device("Release").get()
    withExtendedLifetime(slot) {}
    guard states.contains("enroll-completed") else { throw Missing("\(states)") }
  }
}
