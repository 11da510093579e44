import Foundation
import Glibc
import HostAuthentication
import Systemd

/// The virtual reader: who is enrolled, and whose finger is on it.
extension Host {
  private static let device = "net.reactivated.Fprint.Device"
  private static let name = "net.reactivated.Fprint"

  /// Sends one text command to the driver, which listens while the reader is claimed.
  func reader(_ command: String) throws {
    var reply: String?
    try wait("the reader to take \(command)", seconds: 5) {
      reply = try? Self.exchange("\(folder)/device.sock", command)
      return reply != nil
    }
  }

  private static func exchange(_ path: String, _ command: String) throws -> String {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    guard result == 0 else { throw Missing(description: "no reader") }
    _ = write(descriptor, command, command.utf8.count)
    shutdown(descriptor, Int32(SHUT_WR))
    var buffer = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }

  func device(_ member: String, _ arguments: [BusValue] = []) throws -> Result<
    BusMessage, BusError
  > {
    let path = try devicePath()
    return try answer(member) { done in
      bus.call(
        Self.name, path: path, interface: Self.device, member: member, arguments, limit: 5000,
        completion: done)
    }
  }

  func devicePath() throws -> String {
    let result: Result<BusMessage, BusError> = try answer("GetDefaultDevice") { done in
      bus.call(
        Self.name, path: "/net/reactivated/Fprint/Manager",
        interface: "net.reactivated.Fprint.Manager", member: "GetDefaultDevice", limit: 5000,
        completion: done)
    }
    return try result.get().body.first?.text ?? ""
  }

  /// Enrolls a finger of `user`; the virtual reader tells fingers apart by `id`.
  func enroll(_ id: String, finger: String = "right-index-finger", user: String) throws {
    var states: [String] = []
    let slot = bus.subscribe(
      "type='signal',interface='\(Self.device)',member='EnrollStatus'"
    ) { states.append($0.body.first?.text ?? "") }
    _ = try device("Claim", [.string(user)]).get()
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
    guard states.contains("enroll-completed") else { throw Missing(description: "\(states)") }
  }
}
