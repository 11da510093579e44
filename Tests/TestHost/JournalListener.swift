import Foundation
import Glibc

/// What reaches the journal: the socket where journald would listen, in the tests' own /run.
public final class JournalListener {
  private static let path = "/run/systemd/journal/socket"
  private let descriptor: Int32

  public init() throws {
    guard Namespace.isOwn else { throw PrivateHost.Missing("\(Namespace.need)") }
    unlink(Self.path)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let result = Self.withAddress { bind(descriptor, $0, $1) }
    guard result == 0 else { throw PrivateHost.Missing("no journal socket: \(errno)") }
  }

  private static func withAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  /// Fills the socket, as a journald does that takes nothing any more: who sends to it waits.
  public func fill() {
    // Each sender may have so many on their way, and the socket so many in all.
    for _ in 0..<1024 {
      let sender = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      defer { close(sender) }
      var count = 0
      while Self.withAddress({ sendto(sender, "x", 1, Int32(MSG_DONTWAIT), $0, $1) }) == 1 {
        count += 1
      }
      if count == 0 { return }
    }
  }

  deinit {
    close(descriptor)
    unlink(Self.path)
  }

  /// The records that came since, each as its fields.
  ///
  /// - Source: https://systemd.io/JOURNAL_NATIVE_PROTOCOL: `NAME=value` lines, or for a value with
  ///   a newline the name, a newline, its length as 64 bits little-endian and its bytes.
  public func records() -> [[String: String]] {
    var records: [[String: String]] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      guard count > 0 else { return records }
      records.append(Self.fields(Array(buffer[..<count])))
    }
  }

  private static func fields(_ bytes: [UInt8]) -> [String: String] {
    var fields: [String: String] = [:]
    var rest = bytes[...]
    while let end = rest.firstIndex(of: 10) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      if let equals = line.firstIndex(of: 61) {
        fields[text(line[..<equals])] = text(line[(equals + 1)...])
      } else {
        guard rest.count >= 8 else { break }
        let count = rest.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
        fields[text(line)] = text(rest.dropFirst(8).prefix(count))
        rest = rest.dropFirst(8 + count + 1)
      }
    }
    return fields
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
