import Testing

@testable import AccessControl

@Suite struct FlagTests {
  private static let bitOf: [Requirement: UInt] = [
    .biometryAny: 2, .biometryCurrentSet: 8, .devicePasscode: 16,
  ]

  @Test func `all 512 sums of flags are valid exactly where the rules say, and mean the same`() {
    #expect(FlagOracle.all.count == 512)
    for sum in FlagOracle.all {
      let control = try? AccessControl(flags: AccessControlFlags(rawValue: sum))
      let branches = control.map { control in
        Set(control.constraint.branches.map { Set($0.compactMap { Self.bitOf[$0] }) })
      }
      #expect(branches == FlagOracle.alternatives(sum), "flags \(sum)")
      #expect(control?.needsApplicationPassword ?? (sum >> 31 & 1 == 1) == (sum >> 31 & 1 == 1))
      #expect(control?.guardsPrivateKeyUsage ?? (sum >> 30 & 1 == 1) == (sum >> 30 & 1 == 1))
    }
  }

  @Test func `every valid sum round-trips through text and binary`() throws {
    var count = 0
    for sum in FlagOracle.all {
      for accessibility in Accessibility.allCases {
        guard
          let control = try? AccessControl(
            accessibility: accessibility, flags: AccessControlFlags(rawValue: sum), reuseLimit: 17)
        else { continue }
        count += 1
        #expect(try AccessControl(binary: control.binary) == control)
        #expect(control.binary.count == AccessControl.binaryCount)
        #expect(
          try AccessControl(text: control.text, accessibility: accessibility, reuseLimit: 17)
            == control)
        #expect(control.constraint.branches.count <= 4)
        #expect(control.constraint.branches.allSatisfy { $0.count <= 3 })
      }
    }
    #expect(count > 100)
  }

  @Test(arguments: [2, 6, 7, 8, 13, 16, 29, 32, 40, 63] as [UInt])
  func `a flag that names nothing is refused`(bit: UInt) {
    #expect(throws: AccessControlError.unknownFlag) {
      try AccessControl(flags: AccessControlFlags(rawValue: 1 << bit))
    }
  }

  @Test(
    arguments: [
      (32, .companionNeverAvailable), (16384 | 32768, .bothOperators), (2 | 8, .twoBiometries),
      (1 | 2, .userPresenceCombined), (1 | 16384, .userPresenceCombined), (16384, .operatorAlone),
      (32768, .operatorAlone), (32 | 16384, .companionNeverAvailable),
      (32 | 2 | 32768, .companionNeverAvailable), (32 | 2, .companionNeverAvailable),
    ] as [(UInt, AccessControlError)])
  func `a refusal names its rule`(sum: UInt, error: AccessControlError) {
    #expect(throws: error) { try AccessControl(flags: AccessControlFlags(rawValue: sum)) }
    #expect(!error.explanation.isEmpty)
  }

  @Test func `reuse is 300 seconds at most`() throws {
    #expect(try AccessControl(reuseLimit: 300).reuseLimit == 300)
    #expect(throws: AccessControlError.reuseTooLong) { try AccessControl(reuseLimit: 301) }
  }
}
