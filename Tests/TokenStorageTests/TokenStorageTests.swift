import Foundation
import Testing
import WhorlKit
import WhorlTesting

// Every suite that puts another keychain in place of the shared one is within this one.
@Suite(.serialized) struct TokenStorageTests {
  static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Sources/TokenStorage")

  static func source(_ path: String) throws -> String {
    try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
  }
}

/// A keychain in memory, in the place of the service.
func makeKeychain(_ acts: FakeAuthenticator.Act...) throws -> TestKeychain {
  let test = try TestKeychain(groups: [Array("tests".utf8)])
  for act in acts { test.authenticator.then(act) }
  Keychain.shared = test.keychain
  return test
}

/// No service, as on a host without one.
func removeKeychain() {
  Keychain.shared = Keychain(
    transport: SocketTransport(path: Array("/nonexistent/whorl".utf8), trustsAnyServer: true))
}
