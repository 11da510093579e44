import AppleDataAccounts5
import AppleDataAccounts6
import AppleGated5
import AppleGated6
import AppleTokens5
import AppleTokens6
import AppleWrapper5
import AppleWrapper6
import Security
import Testing
import WhorlTesting

extension SecurityTests {
  /// Code as people write it for Apple's systems, in both language modes, on the keychain in memory.
  @Suite struct ShapeTests {
    @Test(arguments: [AppleWrapper5.runWrapper, AppleWrapper6.runWrapper])
    func `a wrapper with a shared instance works`(run: @Sendable () -> [String]) throws {
      let keychain = try InProcess()
      #expect(run() == ["uno", "a,b", "not found", "b"])
      withExtendedLifetime(keychain) {}
    }

    @Test(arguments: [AppleDataAccounts5.runDataAccounts, AppleDataAccounts6.runDataAccounts])
    func `accounts as data, function-typed variables and NSDictionary work`(
      run: @Sendable () -> [String]
    ) throws {
      let keychain = try InProcess()
      #expect(
        run() == [
          "0 true", "There is such an item already.", "true", "[0, 1, 2, 255]", "alice", "web",
          "443",
          "0 4", "true",
        ])
      withExtendedLifetime(keychain) {}
    }

    @Test func `access controls, contexts and patterns of errors work`() throws {
      let keychain = try InProcess(.approve(), .approve(), .cancel, .cancel)
      #expect(AppleGated5.storeGated("a", .userPresence) == "0")
      #expect(AppleGated6.readGated("a") == "secret of a")
      #expect(AppleGated5.evaluateAndRead("a") == "secret of a")
      #expect(keychain.test.authenticator.prompts.count == 2)
      #expect(AppleGated6.evaluateAndRead("a") == "cancelled")
      #expect(AppleGated6.readGated("a") == "-128")
      #expect(AppleGated5.canEvaluate(.deviceOwnerAuthenticationWithBiometrics) == "yes true true")
      keychain.test.enrollment.delete(.rightIndex)
      keychain.test.host.biometryObstacle = .notEnrolled
      #expect(
        AppleGated6.canEvaluate(.deviceOwnerAuthenticationWithBiometrics) == "enroll a finger")
      #expect(AppleGated5.removeGated() == errSecSuccess)
    }

    @Test func `32 tasks, two threads and the caller do not mix answers`() async throws {
      let keychain = try InProcess()
      #expect(await AppleTokens5.runTokens() == ["35"])
      #expect(await AppleTokens6.runTokens() == ["35"])
      withExtendedLifetime(keychain) {}
    }
  }
}
