import AccessControl
import Foundation
import LocalAuthentication
import Testing
import TokenStorage
import WhorlTesting

extension TokenStorageTests {
  @Suite struct BiometricSignInTests {
    private let signIn = BiometricSignIn(fallbackTitle: "", reuseDuration: 1000)

    @Test func `a finger where one can be asked for, else the password, else unavailable`() throws {
      let keychain = try makeKeychain()
      #expect(try signIn.method() == .biometrics)
      for obstacle in [BiometryObstacle.notEnrolled, .noReader, .noService] {
        keychain.host.biometryObstacle = obstacle
        #expect(try signIn.method() == .devicePasscode)
      }
      keychain.host.hasPasscode = false
      #expect(throws: BiometricSignInError.biometricsUnavailable) { _ = try signIn.method() }
      removeKeychain()
      #expect(throws: BiometricSignInError.biometricsUnavailable) { _ = try signIn.method() }
    }

    @Test func `a sign-in asks once, and its context reads what is gated`() async throws {
      let keychain = try makeKeychain(.approve())
      try KeychainStore(service: "s", flags: .userPresence).save(Data("secret".utf8), for: "a")
      let context = try await signIn.signIn(reason: "Sign in")
      let store = KeychainStore(service: "s", flags: .userPresence, context: context)
      #expect(try store.data(for: "a") == Data("secret".utf8))
      #expect(keychain.authenticator.prompts.count == 1)
      #expect(context.localizedFallbackTitle == "")
      #expect(context.touchIDAuthenticationAllowableReuseDuration == 300)
    }

    @Test func `a sign-in by password, and one that is cancelled`() async throws {
      let keychain = try makeKeychain(.approve(.devicePasscode), .cancel)
      keychain.host.biometryObstacle = .noReader
      _ = try await BiometricSignIn().signIn(reason: "Sign in")
      let error = await #expect(throws: LAError.self) {
        _ = try await BiometricSignIn().signIn(reason: "Sign in")
      }
      #expect(error?.code == .userCancel)
      #expect(keychain.authenticator.prompts.count == 2)
    }

    @Test func `what was proven serves the next sign-in for the reuse duration`() async throws {
      let keychain = try makeKeychain(.approve(), .approve())
      let signIn = BiometricSignIn(reuseDuration: 60)
      for _ in 0..<2 { _ = try await signIn.signIn(reason: "Sign in") }
      #expect(keychain.authenticator.prompts.count == 1)
      keychain.host.wait(seconds: 61)
      _ = try await signIn.signIn(reason: "Sign in")
      #expect(keychain.authenticator.prompts.count == 2)
    }

    @Test func `another set of fingers is noticed`() throws {
      let keychain = try makeKeychain()
      let kept = signIn.domainState
      #expect(kept != nil)
      #expect(!signIn.hasEnrollmentChanged(since: kept))
      keychain.enrollment.enroll(.leftThumb)
      #expect(signIn.hasEnrollmentChanged(since: kept))
      let now = signIn.domainState
      keychain.enrollment.delete(.leftThumb)
      #expect(signIn.hasEnrollmentChanged(since: now))
      keychain.enrollment.delete(.rightIndex)
      #expect(signIn.domainState == nil && signIn.hasEnrollmentChanged(since: now))
      #expect(!signIn.hasEnrollmentChanged(since: nil))
    }
  }
}
