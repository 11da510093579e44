import Foundation

extension PrivateHost {
  public static let matrix = "/usr/lib/x86_64-linux-gnu/pam_wrapper/pam_matrix.so"

  /// The product's own biometry service, and a passcode service that checks a file: its users need
  /// no account with a password on this machine.
  func installServices() throws {
    try installService("whorl-biometry")
    guard FileManager.default.fileExists(atPath: Self.matrix) else {
      throw Missing("install the package libpam-wrapper")
    }
    try "games:sesame:whorl-passcode\nwww-data:open:whorl-passcode\nroot:toor:whorl-passcode\n"
      .write(
        toFile: "\(folder)/passdb", atomically: true, encoding: .utf8)
    try passcodeService("auth required \(Self.matrix) passdb=\(folder)/passdb verbose")
  }

  /// The product's own passcode service, which checks the accounts of the machine.
  public func installSystemPasscodeService() throws { try installService("whorl-passcode") }

  private func installService(_ name: String) throws {
    let source = Self.repository.appendingPathComponent("pam/\(name)")
    try Data(contentsOf: source).write(to: URL(fileURLWithPath: "\(services)/\(name)"))
  }

  /// The checkout.
  public static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  public func passcodeService(_ auth: String) throws {
    try "\(auth)\naccount required pam_permit.so\n".write(
      toFile: "\(services)/whorl-passcode", atomically: true, encoding: .utf8)
  }

  public func removeService(_ name: String) throws {
    try FileManager.default.removeItem(atPath: "\(services)/\(name)")
  }
}
