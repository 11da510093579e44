import Foundation
import TestHost

/// A unit of systemd as it stands in the checkout.
struct UnitFile {
  let path: String
  private var values: [String: [String: [String]]] = [:]

  static let services = ["whorld", "whorl-pam-worker@", "whorl-print-reader@"].map {
    "\($0).service"
  }
  static let sockets = ["whorl", "whorl-pam-worker", "whorl-print-reader"].map { "\($0).socket" }

  init(_ name: String) throws {
    path = PrivateHost.repository.appendingPathComponent("systemd/\(name)").path
    var section = ""
    for line in try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n") {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("#") || line.hasPrefix(";") { continue }
      if line.hasPrefix("[") {
        section = String(line.dropFirst().dropLast())
      } else if let equals = line.firstIndex(of: "=") {
        let key = String(line[..<equals])
        values[section, default: [:]][key, default: []].append(
          String(line[line.index(after: equals)...]))
      } else {
        throw PrivateHost.Missing("\(path): \(line)")
      }
    }
  }

  /// Every value of a directive that may stand more than once.
  func all(_ key: String, _ section: String = "Service") -> [String] {
    values[section]?[key] ?? []
  }

  /// The value of a directive; nil where it does not stand.
  func value(_ key: String, _ section: String = "Service") -> String? { all(key, section).last }

  /// The words of a directive.
  func words(_ key: String, _ section: String = "Service") -> [String] {
    all(key, section).flatMap { $0.split(separator: " ").map(String.init) }
  }

  func isOn(_ key: String) -> Bool { value(key) == "yes" }
}
