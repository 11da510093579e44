import AccessControl
import Testing

@Suite struct JudgementTests {
  private static let generation = GenerationID(Array(repeating: 1, count: 16))
  private static let other = GenerationID(Array(repeating: 2, count: 16))
  private static let open = Facts(
    user: 1000, isUnlocked: true, wasUnlockedSinceBoot: true, hasPasscode: true,
    generation: generation)

  private static func evidence(
    _ factor: Factor, user: UInt32 = 1000, generation: GenerationID? = generation
  ) -> Evidence {
    Evidence(user: user, factor: factor, time: 1, generation: generation)
  }

  private func judge(
    _ text: String, _ evidence: [Evidence] = [], bound: GenerationID? = generation,
    class accessibility: Accessibility = .whenUnlocked, change: (inout Facts) -> Void = { _ in }
  ) throws -> Judgement {
    var facts = Self.open
    change(&facts)
    return try AccessControl(text: text, accessibility: accessibility)
      .judge(bound: bound, evidence: evidence, facts: facts)
  }

  @Test(arguments: [
    "userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode",
    "biometryAny | devicePasscode", "biometryCurrentSet & devicePasscode",
    "none + applicationPassword",
  ])
  func `a judgement without fresh evidence is never open`(text: String) throws {
    if case .open = try judge(text) { Issue.record("\(text) opened") }
  }

  @Test func `no constraint opens without evidence`() throws {
    #expect(try judge("none") == .open([]))
  }

  @Test func `user presence opens by finger or password`() throws {
    #expect(
      try judge("userPresence") == .needEvidence([[.biometry], [.devicePasscode]]))
    #expect(try judge("userPresence", [Self.evidence(.biometry)]) == .open([.biometryAny]))
    #expect(try judge("userPresence", [Self.evidence(.devicePasscode)]) == .open([.devicePasscode]))
  }

  @Test func `all needs every factor, and asks for the missing one only`() throws {
    let text = "biometryAny & devicePasscode"
    #expect(
      try judge(text, [Self.evidence(.biometry)]) == .needEvidence([[.devicePasscode]]))
    #expect(
      try judge(text, [Self.evidence(.biometry), Self.evidence(.devicePasscode)])
        == .open([.biometryAny, .devicePasscode]))
  }

  @Test func `the evidence of another user proves nothing`() throws {
    for factor in Factor.allCases {
      let judgement = try judge(
        "userPresence + applicationPassword", [Self.evidence(factor, user: 0)])
      if case .open = judgement { Issue.record("opened by the evidence of another") }
    }
  }

  @Test func `a finger of another generation does not open a bound item`() throws {
    let old = Self.evidence(.biometry, generation: Self.other)
    #expect(try judge("biometryCurrentSet", [old]) == .needEvidence([[.biometry]]))
    #expect(
      try judge("biometryCurrentSet", [Self.evidence(.biometry, generation: nil)])
        == .needEvidence([[.biometry]]))
    #expect(try judge("biometryAny", [old]) == .open([.biometryAny]))
  }

  @Test func `a dead generation invalidates, and leaves a password branch`() throws {
    let fresh = [Self.evidence(.biometry), Self.evidence(.devicePasscode)]
    #expect(
      try judge("biometryCurrentSet", fresh, bound: Self.other) == .refused(.invalidated))
    #expect(try judge("biometryCurrentSet", fresh, bound: nil) == .refused(.invalidated))
    #expect(
      try judge("biometryCurrentSet & devicePasscode", fresh, bound: Self.other)
        == .refused(.invalidated))
    #expect(
      try judge("biometryCurrentSet | devicePasscode", [fresh[0]], bound: Self.other)
        == .needEvidence([[.devicePasscode]]))
    #expect(
      try judge("biometryCurrentSet | devicePasscode", fresh, bound: Self.other)
        == .open([.devicePasscode]))
  }

  @Test func `no live generation at all invalidates`() throws {
    #expect(
      try judge("biometryCurrentSet", [Self.evidence(.biometry)]) { $0.generation = nil }
        == .refused(.invalidated))
  }

  @Test func `an application password is always needed as well`() throws {
    let text = "biometryAny | devicePasscode + applicationPassword"
    #expect(
      try judge(text, [Self.evidence(.devicePasscode)])
        == .needEvidence([[.biometry, .applicationPassword], [.applicationPassword]]))
    #expect(
      try judge(text, [Self.evidence(.devicePasscode), Self.evidence(.applicationPassword)])
        == .open([.devicePasscode]))
    #expect(
      try judge("none + applicationPassword") == .needEvidence([[.applicationPassword]]))
  }

  @Test(arguments: BiometryObstacle.allCases)
  func `an obstacle to the finger is the reason where no password would do`(
    obstacle: BiometryObstacle
  ) throws {
    #expect(
      try judge("biometryAny") { $0.biometryObstacle = obstacle }
        == .refused(.biometryUnavailable(obstacle)))
    #expect(
      try judge("userPresence") { $0.biometryObstacle = obstacle }
        == .needEvidence([[.devicePasscode]]))
  }

  @Test func `without a password on the account only a finger is asked for`() throws {
    #expect(try judge("userPresence") { $0.hasPasscode = false } == .needEvidence([[.biometry]]))
    #expect(
      try judge("devicePasscode") { $0.hasPasscode = false } == .refused(.passcodeNotSet))
  }

  @Test(
    arguments: [
      (.whenUnlocked, false, true, true, .locked), (.whenUnlocked, true, true, false, nil),
      (.whenUnlockedThisDeviceOnly, false, true, true, .locked),
      (.afterFirstUnlock, false, true, true, nil),
      (.afterFirstUnlock, false, false, true, .notUnlockedSinceBoot),
      (.afterFirstUnlockThisDeviceOnly, false, false, true, .notUnlockedSinceBoot),
      (.whenPasscodeSetThisDeviceOnly, true, true, true, nil),
      (.whenPasscodeSetThisDeviceOnly, true, true, false, .passcodeNotSet),
      (.whenPasscodeSetThisDeviceOnly, false, true, true, .locked),
    ] as [(Accessibility, Bool, Bool, Bool, Refusal?)])
  func `the class decides before any factor`(
    accessibility: Accessibility, unlocked: Bool, since: Bool, passcode: Bool, refusal: Refusal?
  ) throws {
    let judgement = try judge("none", class: accessibility) {
      $0.isUnlocked = unlocked
      $0.wasUnlockedSinceBoot = since
      $0.hasPasscode = passcode
    }
    #expect(judgement == (refusal.map { .refused($0) } ?? .open([])))
  }
}
