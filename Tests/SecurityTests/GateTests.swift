import LocalAuthentication
import Security
import Testing
import WhorlTesting

extension SecurityTests {
  /// What asks, what does not, and what code is told.
  @Suite struct GateTests {
    private func stored(_ acts: FakeAuthenticator.Act..., flags: SecAccessControlCreateFlags) throws
      -> InProcess
    {
      let keychain = try InProcess()
      for act in acts { keychain.test.authenticator.then(act) }
      for account in ["alice", "bob"] {
        let item = query(
          [kSecValueData: Data(account.utf8), kSecAttrAccessControl: control(flags)],
          account: account)
        #expect(SecItemAdd(item, nil) == errSecSuccess)
      }
      #expect(!keychain.wasAsked())
      return keychain
    }

    private let read = query([kSecReturnData: true])

    @Test func `a gated read asks once and gives the data`() throws {
      let keychain = try stored(.approve(), flags: .userPresence)
      #expect(copy(read).1 as? Data == Data("alice".utf8))
      #expect(keychain.test.authenticator.prompts.count == 1)
    }

    @Test func `several gated items of one query are one prompt`() throws {
      let keychain = try stored(.approve(), flags: .userPresence)
      let (status, result) = copy(
        query([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll], account: nil))
      #expect(status == errSecSuccess)
      #expect((result as? [Data])?.count == 2)
      #expect(keychain.test.authenticator.prompts.count == 1)
    }

    @Test func `existence, attributes, duplicates and delete ask nobody`() throws {
      let keychain = try stored(flags: .biometryCurrentSet)
      #expect(copy(query([:])).0 == errSecSuccess)
      #expect(copy(query([kSecReturnAttributes: true])).0 == errSecSuccess)
      #expect(SecItemAdd(query([kSecValueData: Data()]), nil) == errSecDuplicateItem)
      #expect(SecItemDelete(query([:])) == errSecSuccess)
      #expect(!keychain.wasAsked())
    }

    @Test func `add and then update asks once`() throws {
      let keychain = try stored(.approve(), flags: .biometryCurrentSet)
      #expect(SecItemUpdate(query([:]), [kSecValueData: Data("n".utf8)] as CFDictionary) == 0)
      #expect(keychain.test.authenticator.prompts.count == 1)
    }

    @Test func `an update of several gated items asks once`() throws {
      let keychain = try stored(.approve(), flags: .userPresence)
      #expect(SecItemUpdate(query([:], account: nil), [kSecAttrLabel: "n"] as CFDictionary) == 0)
      #expect(keychain.test.authenticator.prompts.count == 1)
    }

    @Test func `a cancelled prompt is -128 and nothing else`() throws {
      _ = try stored(.cancel, flags: .userPresence)
      #expect(copy(read).0 == errSecUserCanceled)
      #expect(SecCopyLastFailure()?.authenticationCode == LAError.Code.userCancel.rawValue)
    }

    typealias Row = (act: FakeAuthenticator.Act, status: OSStatus, code: LAError.Code?)

    @Test func `a status hides what the extension tells`() throws {
      let rows: [Row] = [
        (.timeout, errSecAuthFailed, .systemCancel),
        (.lockout, errSecAuthFailed, .biometryLockout),
        (.unavailable(.noReader), errSecAuthFailed, .biometryNotAvailable),
        (.unavailable(.notEnrolled), errSecAuthFailed, .biometryNotEnrolled),
        (.cancel, errSecUserCanceled, .userCancel),
      ]
      for row in rows {
        let keychain = try stored(flags: .biometryAny)
        keychain.test.authenticator.then(row.act)
        #expect(copy(read).0 == row.status, "\(row.act)")
        #expect(SecCopyLastFailure()?.authenticationCode == row.code?.rawValue, "\(row.act)")
        #expect(SecCopyLastFailure()?.isInvalidatedByEnrollmentChange == false)
      }
    }

    @Test func `where nobody may be asked the answer is -25308, also to whether it exists`() throws
    {
      let keychain = try stored(flags: .userPresence)
      for extra in [
        [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], [kSecUseNoAuthenticationUI: true],
      ] as [[CFString: Any]] {
        #expect(copy(query(extra)).0 == errSecInteractionNotAllowed)
        #expect(
          copy(query(extra.merging([kSecReturnData: true]) { $1 })).0 == errSecInteractionNotAllowed
        )
      }
      let context = LAContext()
      context.interactionNotAllowed = true
      #expect(
        copy(query([kSecUseAuthenticationContext: context, kSecReturnData: true])).0
          == errSecInteractionNotAllowed)
      #expect(!keychain.wasAsked())
    }

    @Test func `skip leaves out what would ask`() throws {
      let keychain = try stored(flags: .userPresence)
      #expect(SecItemAdd(query([kSecValueData: Data("free".utf8)], account: "free"), nil) == 0)
      let (status, result) = copy(
        query(
          [
            kSecUseAuthenticationUI: kSecUseAuthenticationUISkip, kSecReturnData: true,
            kSecMatchLimit: kSecMatchLimitAll,
          ], account: nil))
      #expect(status == errSecSuccess)
      #expect(result as? [Data] == [Data("free".utf8)])
      #expect(!keychain.wasAsked())
    }

    @Test
    func `an item that fingerprints ended is not there, can be added again, and the cause is told`()
      throws
    {
      let keychain = try stored(flags: .biometryCurrentSet)
      keychain.test.enrollment.enroll(.leftThumb)
      #expect(copy(read).0 == errSecItemNotFound)
      #expect(SecCopyLastFailure()?.isInvalidatedByEnrollmentChange == true)
      #expect(copy(query([:], account: "nobody")).0 == errSecItemNotFound)
      #expect(SecCopyLastFailure()?.isInvalidatedByEnrollmentChange == false)
      let again = query([
        kSecValueData: Data("n".utf8), kSecAttrAccessControl: control(.biometryCurrentSet),
      ])
      #expect(SecItemAdd(again, nil) == errSecSuccess)
      #expect(SecCopyLastFailure() == nil)
      keychain.test.authenticator.then(.approve())
      #expect(copy(read).1 as? Data == Data("n".utf8))
      #expect(SecItemDelete(query([:], account: "bob")) == errSecSuccess)
    }

    @Test func `an item that needs prints where none are enrolled cannot be added`() throws {
      let keychain = try InProcess()
      for finger in [Finger.rightIndex] { keychain.test.enrollment.delete(finger) }
      let item = query([kSecValueData: Data(), kSecAttrAccessControl: control(.biometryCurrentSet)])
      #expect(SecItemAdd(item, nil) == errSecAuthFailed)
    }

    @Test func `an evaluated context opens an item without a second prompt`() throws {
      let keychain = try stored(.approve(), flags: .userPresence)
      let context = LAContext()
      let done = DispatchSemaphore(value: 0)
      context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "test") {
        isSatisfied, error in
        #expect(isSatisfied && error == nil)
        done.signal()
      }
      done.wait()
      let (status, result) = copy(
        query([kSecReturnData: true, kSecUseAuthenticationContext: context]))
      #expect(status == errSecSuccess)
      #expect(result as? Data == Data("alice".utf8))
      #expect(keychain.test.authenticator.prompts.count == 1)
      context.invalidate()
      #expect(
        copy(query([kSecReturnData: true, kSecUseAuthenticationContext: context])).0
          == errSecAuthFailed)
      #expect(SecCopyLastFailure()?.authenticationCode == LAError.Code.invalidContext.rawValue)
    }

    @Test func `the application password of the context opens`() throws {
      let keychain = try InProcess()
      let flags: SecAccessControlCreateFlags = [.applicationPassword]
      let context = LAContext()
      let item = query([
        kSecValueData: Data("s".utf8), kSecAttrAccessControl: control(flags),
        kSecUseAuthenticationContext: context,
      ])
      #expect(SecItemAdd(item, nil) == errSecParam)
      #expect(context.setCredential(Data("pw".utf8), type: .applicationPassword))
      #expect(SecItemAdd(item, nil) == errSecSuccess)
      #expect(
        copy(query([kSecReturnData: true, kSecUseAuthenticationContext: context])).1 as? Data
          == Data("s".utf8))
      let wrong = LAContext()
      wrong.setCredential(Data("no".utf8), type: .applicationPassword)
      #expect(
        copy(query([kSecReturnData: true, kSecUseAuthenticationContext: wrong])).0
          == errSecAuthFailed)
      withExtendedLifetime(keychain) {}
    }
  }
}
