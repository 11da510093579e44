import LocalAuthentication
import WhorlTesting

extension SecurityTests.FunctionTableTests {
  private static func can(_ policy: LAPolicy) -> FunctionAnswer {
    var error: Foundation.NSError?
    let isPossible = LAContext().canEvaluatePolicy(policy, error: &error)
    return FunctionAnswer(error?.code ?? 0, isPossible ? "yes" : "no")
  }

  private static func evaluate(
    _ act: FakeAuthenticator.Act?, _ keychain: InProcess, _ context: LAContext = LAContext(),
    _ policy: LAPolicy = .deviceOwnerAuthentication
  ) async -> FunctionAnswer {
    if let act { keychain.test.authenticator.then(act) }
    return await FunctionRow.answer {
      try await context.evaluatePolicy(policy, localizedReason: "test")
    }
  }

  nonisolated(unsafe) static let contextRows: [FunctionRow] = [
    FunctionRow("LAContext.canEvaluatePolicy", "what can be", .init(0, "yes")) { _ in
      can(.deviceOwnerAuthentication)
    },
    FunctionRow("LAContext.canEvaluatePolicy", "biometrics, no reader", .init(-6, "no")) {
      keychain in
      keychain.test.host.biometryObstacle = .noReader
      return can(.deviceOwnerAuthenticationWithBiometrics)
    },
    FunctionRow("LAContext.canEvaluatePolicy", "biometrics, none enrolled", .init(-7, "no")) {
      keychain in
      keychain.test.host.biometryObstacle = .notEnrolled
      return can(.deviceOwnerAuthenticationWithBiometrics)
    },
    FunctionRow("LAContext.canEvaluatePolicy", "a companion, none there", .init(-11, "no")) { _ in
      can(.deviceOwnerAuthenticationWithCompanion)
    },
    FunctionRow("LAContext.evaluatePolicy", "approved", .init(0, "yes")) { keychain in
      await evaluate(.approve(), keychain)
    },
    FunctionRow("LAContext.evaluatePolicy", "cancelled", .init(-2)) { keychain in
      await evaluate(.cancel, keychain)
    },
    FunctionRow("LAContext.evaluatePolicy", "biometrics, locked out", .init(-8)) { keychain in
      await evaluate(
        .lockout, keychain, LAContext(), .deviceOwnerAuthenticationWithBiometrics)
    },
    FunctionRow("LAContext.evaluatePolicy", "an invalidated context", .init(-10)) { keychain in
      let context = LAContext()
      context.invalidate()
      return await evaluate(nil, keychain, context)
    },
    FunctionRow("LAContext.evaluatePolicy", "interaction not allowed", .init(-1004)) { keychain in
      let context = LAContext()
      context.interactionNotAllowed = true
      return await evaluate(nil, keychain, context)
    },
    FunctionRow("LAContext.evaluateAccessControl", "approved", .init(0, "yes")) { keychain in
      keychain.test.authenticator.then(.approve())
      return await FunctionRow.answer {
        try await LAContext().evaluateAccessControl(
          control(.biometryAny), operation: .useItem, localizedReason: "test")
      }
    },
    FunctionRow("LAContext.setCredential", "an application password", .init(0, "yes")) { _ in
      FunctionAnswer(0, LAContext().setCredential(Data([1]), type: .applicationPassword))
    },
    FunctionRow("LAContext.isCredentialSet", "after nothing was set", .init(0, "no")) { _ in
      FunctionAnswer(0, LAContext().isCredentialSet(.applicationPassword))
    },
    FunctionRow("LAContext.invalidate", "twice", .init(0)) { _ in
      let context = LAContext()
      context.invalidate()
      context.invalidate()
      return FunctionAnswer(0)
    },
    FunctionRow("LADomainStateCompanion.stateHash", "a watch, none paired", .init(0)) { _ in
      FunctionAnswer(0, LAContext().domainState.companion.stateHash(for: .watch))
    },
  ]
}
