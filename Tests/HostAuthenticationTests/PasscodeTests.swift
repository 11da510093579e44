import Foundation
import Glibc
import HostAuthentication
import SecretMemory
import TestHost
import Testing

@Suite(.serialized) final class PasscodeTests {
  let host: PrivateHost
  let target = AuthenticationTarget(user: "games", uid: 5, remoteHost: "203.0.113.5")

  init() throws {
    host = try PrivateHost()
  }

  private func verify(
    _ passcode: String, _ target: AuthenticationTarget? = nil, socket: String? = nil
  ) throws -> AuthenticatorOutcome {
    var settings = host.settings
    if let socket { settings.socket = socket }
    let authenticator = PasscodeAuthenticator(loop: host.loop, settings: settings)
    let secret = try SecretBytes(copying: Array(passcode.utf8).span)
    var run: AuthenticatorRun?
    let outcome: AuthenticatorOutcome = try host.answer("an outcome") { done in
      run = authenticator.verify(target ?? self.target, passcode: secret, completion: done)
    }
    withExtendedLifetime(run) {}
    return outcome
  }

  @Test func `the right password verifies, also from afar`() throws {
    #expect(try verify("sesame").isVerified)
  }

  @Test func `a wrong password fails`() throws {
    #expect(try verify("sesam") == .failed(.wrongPasscode))
  }

  @Test func `an empty or endless password is no try`() throws {
    #expect(try verify("") == .failed(.wrongPasscode))
    #expect(try verify(String(repeating: "s", count: 512)) == .failed(.wrongPasscode))
  }

  @Test func `a name of another uid is refused`() throws {
    let wrong = AuthenticationTarget(user: "games", uid: 6)
    #expect(try verify("sesame", wrong) == .failed(.userChanged))
  }

  @Test func `a missing service file is named and nothing else is used`() throws {
    try host.removeService("whorl-passcode")
    try "auth required pam_permit.so\naccount required pam_permit.so\n".write(
      toFile: "\(host.services)/other", atomically: true, encoding: .utf8)
    #expect(
      try verify("sesame") == .unavailable(.serviceUnusable("whorl-passcode in \(host.services)")))
  }

  @Test func `nobody on the worker's socket is said so`() throws {
    #expect(try verify("sesame", socket: "/nowhere") == .unavailable(.workerMissing))
  }

  @Test func `a module that cannot be loaded refuses`() throws {
    try host.passcodeService("auth required /nowhere/pam_none.so")
    #expect(!(try verify("sesame").isVerified))
  }

  @Test func `a refusing account stack refuses`() throws {
    try
      "auth required \(PrivateHost.matrix) passdb=\(host.folder)/passdb\naccount required pam_deny.so\n"
      .write(toFile: "\(host.services)/whorl-passcode", atomically: true, encoding: .utf8)
    #expect(try verify("sesame") == .failed(.accountRefused))
  }
}
