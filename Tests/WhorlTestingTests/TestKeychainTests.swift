import AccessControl
import SecretMemory
import Testing
import WhorlKit
import WhorlTesting
import Wire

/// How the author of an app tests a policy, without service, PAM or reader.
@Suite struct TestKeychainTests {
  static let identity = ItemIdentity(
    group: Array("app".utf8), service: [], account: Array("token".utf8))

  /// A keychain with one item in it.
  private func keychain(
    _ policy: String, _ acts: FakeAuthenticator.Act..., reuse: UInt32 = 0,
    password: String? = nil
  ) throws -> TestKeychain {
    let test = try TestKeychain()
    for act in acts { test.authenticator.then(act) }
    try test.keychain.add(
      NewItem(
        identity: Self.identity, attributes: Attributes(),
        accessControl: AccessControl(text: policy, reuseLimit: reuse)),
      secret: SecretBytes(testText: "s"),
      applicationPassword: password.map { try SecretBytes(testText: $0) })
    return test
  }

  private func read(_ test: TestKeychain, context: AuthContext? = nil) throws -> String {
    try test.keychain.read(Self.identity, context: context).testText
  }

  private func failure(_ test: TestKeychain, context: AuthContext? = nil) -> KeychainError? {
    do {
      _ = try read(test, context: context)
      return nil
    } catch { return error as? KeychainError }
  }

  @Test func `a policy in a few lines`() throws {
    let test = try keychain("biometryCurrentSet", .approve())
    #expect(try read(test) == "s")
    test.enrollment.enroll(.leftThumb)
    #expect(failure(test)?.code == .invalidated)
  }

  @Test func `an ungated item asks nobody`() throws {
    let test = try keychain("none")
    #expect(try read(test) == "s")
    #expect(test.authenticator.prompts.isEmpty)
  }

  typealias Row = (name: String, acts: [FakeAuthenticator.Act], code: FailureCode?)

  @Test func `every act of the script ends a request as the service would`() throws {
    let rows: [Row] = [
      ("touch", [.approve()], nil),
      ("password", [.approve(.devicePasscode)], nil),
      ("the second try", [.deny(), .approve()], nil),
      ("cancel", [.cancel], .cancelled),
      ("timeout", [.timeout], .timedOut),
      ("no script", [], .timedOut),
      ("a short delay", [.delay(seconds: 30), .approve()], nil),
      ("a long delay", [.delay(seconds: 20), .delay(seconds: 11), .approve()], .timedOut),
      ("lockout, then the password", [.lockout, .approve(.devicePasscode)], nil),
      ("no reader, then the password", [.unavailable(.noReader), .approve(.devicePasscode)], nil),
      ("a dead reader is not touched", [.lockout, .approve(), .cancel], .cancelled),
      (
        "three wrong fingers, then the password",
        [
          .deny(), .deny(), .deny(), .approve(.devicePasscode),
        ], nil
      ),
      (
        "three wrong passwords",
        [
          .deny(.devicePasscode), .deny(.devicePasscode), .deny(.devicePasscode),
        ], .authenticationFailed
      ),
    ]
    for row in rows {
      let test = try keychain("userPresence")
      for act in row.acts { test.authenticator.then(act) }
      #expect(failure(test)?.code == row.code, "\(row.name)")
      #expect(test.authenticator.isDone || row.name == "a long delay", "\(row.name)")
    }
  }

  @Test func `where a finger is the only way, its end is the request's`() throws {
    let rows: [Row] = [
      ("lockout", [.lockout], .lockout),
      ("three wrong fingers", [.deny(), .deny(), .deny()], .authenticationFailed),
      ("no reader", [.unavailable(.noReader)], .noReader),
      ("none enrolled", [.unavailable(.notEnrolled)], .notEnrolled),
      ("remote", [.unavailable(.remote)], .notAtReader),
      ("a password is not asked for", [.approve(.devicePasscode), .approve()], nil),
    ]
    for row in rows {
      let test = try keychain("biometryAny")
      for act in row.acts { test.authenticator.then(act) }
      #expect(failure(test)?.code == row.code, "\(row.name)")
    }
  }

  @Test func `the causes of a failure are those of the LAError`() throws {
    #expect(try failure(keychain("biometryAny", .cancel))?.cause == .userCancel)
    #expect(try failure(keychain("biometryAny", .lockout))?.cause == .biometryLockout)
  }

  @Test func `a prompt names item, reason and reuse`() throws {
    let test = try keychain("userPresence", .approve(), reuse: 60)
    let options = RequestOptions(reason: Array("deploy".utf8), reuse: 100)
    _ = try test.keychain.read(Self.identity, options: options) as SecretBytes
    let prompt = try #require(test.authenticator.prompts.first)
    #expect(prompt.items == [Array("token".utf8)])
    #expect(prompt.reason == Array("deploy".utf8))
    #expect(prompt.reuse == 60)
    #expect(prompt.factors == [.biometry, .devicePasscode])
  }

  @Test func `a prompt of a context names its reason, and how long the context serves`() throws {
    let test = try keychain("userPresence", .approve())
    let context = try AuthContext(keychain: test.keychain)
    context.reason = Array("deploy".utf8)
    for _ in 0..<2 { #expect(try read(test, context: context) == "s") }
    let prompt = try #require(test.authenticator.prompts.first)
    #expect(test.authenticator.prompts.count == 1)
    #expect(prompt.reason == Array("deploy".utf8))
    #expect(prompt.reuse == 300)
  }

  @Test func `prints that change while the prompt is on refuse`() throws {
    let test = try keychain("biometryCurrentSet")
    test.authenticator.then(.meanwhile { test.enrollment.enroll(.leftThumb) }, .approve())
    #expect(failure(test)?.code == .invalidated)
  }

  @Test func `prints that change between the verify and the release refuse`() throws {
    let test = try keychain("biometryCurrentSet")
    test.authenticator.then(
      .meanwhile {
        let release = test.enrollment.looks + 2
        test.enrollment.beforeLook = { look in
          if look == release { test.enrollment.enroll(.leftThumb) }
        }
      }, .approve())
    #expect(failure(test)?.code == .invalidated)
  }

  @Test func `the keychain can be used while a prompt is on`() throws {
    let test = try keychain("userPresence")
    test.authenticator.then(
      .meanwhile { try? test.keychain.delete(Self.identity) }, .approve())
    #expect(failure(test)?.code == .changedMeanwhile)
  }

  @Test func `a program can cancel while a prompt is on`() throws {
    let test = try keychain("userPresence")
    let context = try AuthContext(keychain: test.keychain)
    test.authenticator.then(.meanwhile { context.cancel() }, .approve())
    #expect(failure(test, context: context)?.cause == .appCancel)
    #expect(try read(test, context: context) == "s")
  }

  @Test func `a program can invalidate its context while a prompt is on`() throws {
    let test = try keychain("userPresence")
    let context = try AuthContext(keychain: test.keychain)
    test.authenticator.then(.meanwhile { context.invalidate() }, .approve())
    #expect(failure(test, context: context)?.cause == .appCancel)
    #expect(failure(test, context: context)?.code == .invalidContext)
  }

  @Test func `a context serves for 300 seconds of the host's time, until lock or restart`() throws {
    let test = try keychain("userPresence", .approve())
    let context = try AuthContext(keychain: test.keychain)
    _ = try read(test, context: context)
    test.host.wait(seconds: 300)
    #expect(try read(test, context: context) == "s")
    test.host.wait(seconds: 1)
    #expect(failure(test, context: context)?.code == .timedOut)

    for end in [
      { test.restart() },
      {
        test.setLocked(true)
        test.setLocked(false)
      },
    ] {
      test.authenticator.then(.approve())
      _ = try read(test, context: context)
      #expect(try read(test, context: context) == "s")
      end()
      #expect(failure(test, context: context)?.code == .timedOut)
    }
    context.invalidate()
    #expect(failure(test, context: context)?.code == .invalidContext)
  }

  @Test func `a locked session reads nothing`() throws {
    let test = try keychain("none")
    try test.keychain.lock()
    #expect(failure(test)?.code == .locked)
    #expect(try test.keychain.status().isUnlocked == false)
    test.setLocked(false)
    #expect(try read(test) == "s")
  }

  @Test func `without interaction nobody is asked`() throws {
    let test = try keychain("userPresence", .approve())
    let context = try AuthContext(keychain: test.keychain)
    context.interactionNotAllowed = true
    #expect(failure(test, context: context)?.code == .interactionNotAllowed)
    #expect(test.authenticator.prompts.isEmpty)
  }

  @Test func `an application password comes from the script or the context`() throws {
    let test = try keychain("none + applicationPassword", password: "right")
    test.authenticator.then(.applicationPassword("wrong"), .applicationPassword("right"))
    #expect(try read(test) == "s")
    let context = try AuthContext(keychain: test.keychain)
    context.applicationPassword = try SecretBytes(testText: "right")
    context.interactionNotAllowed = true
    #expect(try read(test, context: context) == "s")
    context.applicationPassword = try SecretBytes(testText: "wrong")
    #expect(failure(test, context: context)?.code == .interactionNotAllowed)
    test.authenticator.then(
      .deny(.applicationPassword), .deny(.applicationPassword), .deny(.applicationPassword))
    #expect(failure(test)?.code == .authenticationFailed)
  }

  @Test func `a finger and the item's own password are asked for in turn`() throws {
    let test = try keychain("biometryAny + applicationPassword", password: "right")
    test.authenticator.then(.approve(), .applicationPassword("right"))
    #expect(try read(test) == "s")
    #expect(
      test.authenticator.prompts.map(\.factors) == [[.biometry], [.applicationPassword]])
  }

  @Test func `the host's facts count`() throws {
    let test = try keychain("biometryAny")
    let control = try AccessControl(text: "biometryAny")
    try test.keychain.canEvaluate(control)
    test.host.biometryObstacle = .noReader
    #expect(failure(test)?.code == .noReader)
    #expect(throws: KeychainError(.noReader)) { try test.keychain.canEvaluate(control) }
    #expect(try test.keychain.status().biometryObstacle == .noReader)
  }

  @Test func `the async forms work on it`() async throws {
    let test = try keychain("userPresence", .approve(), .approve())
    let context = try AuthContext(keychain: test.keychain)
    #expect(try await context.read(Self.identity).testText == "s")
    try await context.evaluate(AccessControl(text: "userPresence"))
    #expect(test.authenticator.prompts.count == 1)
  }

  @Test func `domain state, show and list are the engine's`() throws {
    let test = try keychain("biometryCurrentSet")
    let before = try #require(try test.keychain.domainState())
    test.enrollment.enroll(.leftThumb)
    #expect(try test.keychain.domainState() != before)
    guard case .ended(let change) = try test.keychain.show(Self.identity).binding else {
      Issue.record("not invalidated")
      return
    }
    #expect(change.kind == .enrolled)
    #expect(try test.keychain.list().map(\.isInvalidated) == [true])
  }

  @Test func `a full disk and a copy of the state are the test's to make`() throws {
    let test = try keychain("none")
    test.storage.fail(.item)
    #expect(throws: KeychainError.self) { try test.keychain.delete(Self.identity) }
    let copy = try TestKeychain(
      authenticator: FakeAuthenticator(), storage: test.storage.copy(), keys: test.keys.copy())
    try copy.keychain.delete(Self.identity)
    #expect(try read(test) == "s")
  }
}
