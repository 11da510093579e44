import Foundation

extension Host {
  static let matrix = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"

  /// The product's own biometry service, and a passcode service that checks a file: its users need
  /// no account with a password on this machine.
  func installServices() throws {
    let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    try FileManager.default.copyItem(
      atPath: repository.appendingPathComponent("pam/whorl-biometry").path,
      toPath: "\(services)/whorl-biometry")
    guard FileManager.default.fileExists(atPath: Self.matrix) else {
      throw Missing(description: "install the package libpam-wrapper")
    }
    try "games:sesame:whorl-passcode\n".write(
      toFile: "\(folder)/passdb", atomically: true, encoding: .utf8)
    try passcodeService("auth required \(Self.matrix) passdb=\(folder)/passdb verbose")
  }

  func passcodeService(_ auth: String) throws {
    try "\(auth)\naccount required pam_permit.so\n".write(
      toFile: "\(services)/whorl-passcode", atomically: true, encoding: .utf8)
  }

  func removeService(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(services)/\(name)")
  }
}
