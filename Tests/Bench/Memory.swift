import Foundation
import TestHost
import WhorlClient
import Wire

/// What the daemon takes of the machine's memory.
enum Memory {
  private static let clients = 1000

  /// Right after a start, with its bus connection and one database open.
  static func measure(_ host: PrivateHost, _ report: inout Report) throws {
    report.head("Resident memory of whorld")
    try host.restartDaemon()
    guard try host.whorl(["status"]).status == 0 else { throw PrivateHost.Missing("a status") }
    report.row("idle, on its bus", resident(host), "MB", .atMost(10))
    var keychains: [Keychain] = []
    for _ in 0..<clients {
      let keychain = host.keychain()
      _ = try keychain.read(.bench("bench"))
      keychains.append(keychain)
    }
    report.row("with 1,000 clients connected", resident(host), "MB", .atMost(13))
    withExtendedLifetime(keychains) {}
  }

  static func resident(_ host: PrivateHost) -> Double {
    let path = "/proc/\(host.pid("whorld") ?? 0)/status"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    let kibibytes = line.split(separator: " ").compactMap { Double($0) }.first ?? 0
    return kibibytes / 1024
  }
}
