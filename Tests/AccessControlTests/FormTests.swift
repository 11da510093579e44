import AccessControl
import Testing

@Suite struct FormTests {
  @Test(arguments: [
    ("none", "none"), ("userPresence", "userPresence"), ("touchIDAny", "biometryAny"),
    ("touchIDCurrentSet", "biometryCurrentSet"),
    ("devicePasscode|biometryCurrentSet", "biometryCurrentSet | devicePasscode"),
    ("  biometryAny  &  devicePasscode ", "biometryAny & devicePasscode"),
    ("watch | devicePasscode", "devicePasscode"),
    ("none + applicationPassword", "none + applicationPassword"),
    (
      "biometryAny|devicePasscode+privateKeyUsage+applicationPassword",
      "biometryAny | devicePasscode + applicationPassword + privateKeyUsage"
    ),
  ])
  func `text is read freely and written one way`(text: String, canonical: String) throws {
    #expect(try AccessControl(text: text).text == canonical)
  }

  @Test(arguments: [
    "", " ", "|", "biometryAny |", "| biometryAny", "biometryAny | devicePasscode & none",
    "biometryany", "none | devicePasscode", "biometryAny | biometryAny", "userPresence | none",
    "none +", "none + none", "none + applicationPassword + applicationPassword",
    "applicationPassword", "biometryAny ++ applicationPassword", "(biometryAny)",
    "biometryAny biometryCurrentSet", "biometryAny\n", "watch", "watch & devicePasscode",
  ])
  func `text that is none is refused`(text: String) {
    #expect(throws: AccessControlError.self) { try AccessControl(text: text) }
  }

  @Test(arguments: ["always", "alwaysThisDeviceOnly", "dk", "dku"])
  func `the always classes are refused with an explanation`(text: String) {
    let error = #expect(throws: AccessControlError.deprecatedAccessibility) {
      try Accessibility(text: text)
    }
    #expect(error?.explanation.contains("afterFirstUnlock") == true)
  }

  @Test func `a class is read by its name and by its tag`() throws {
    for accessibility in Accessibility.allCases {
      #expect(try Accessibility(text: accessibility.name) == accessibility)
      #expect(try Accessibility(text: accessibility.rawValue) == accessibility)
    }
    #expect(throws: AccessControlError.unknownAccessibility) { try Accessibility(text: "f") }
  }

  @Test func `a binary form that would not be written is refused`() throws {
    let good = try AccessControl(text: "biometryAny | devicePasscode", reuseLimit: 60).binary
    for count in 0..<good.count {
      #expect(throws: AccessControlError.malformed) {
        try AccessControl(binary: Array(good[..<count]))
      }
    }
    #expect(throws: AccessControlError.malformed) { try AccessControl(binary: good + [0]) }
    for index in good.indices {
      for bit in 0..<8 {
        var bytes = good
        bytes[index] ^= 1 << bit
        guard let parsed = try? AccessControl(binary: bytes) else { continue }
        #expect(parsed.binary == bytes, "byte \(index), bit \(bit)")
      }
    }
    // One constraint with an operator has a shorter form, which is the only one.
    var withOperator = try AccessControl(text: "biometryAny").binary
    withOperator[4] |= 0x40
    #expect(throws: AccessControlError.malformed) { try AccessControl(binary: withOperator) }
  }
}
