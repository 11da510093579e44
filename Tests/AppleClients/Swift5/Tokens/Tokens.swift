import LocalAuthentication

// An actor of tokens, async calls and task groups.

public actor Tokens {
  public static let shared = Tokens()

  private let service = "org.example.tokens"

  public func save(_ token: String, for account: String) throws {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
      kSecAttrAccount as String: account,
    ]
    SecItemDelete(query as CFDictionary)
    let status = SecItemAdd(
      query.merging([kSecValueData as String: Data(token.utf8)]) { $1 } as CFDictionary, nil)
    guard status == errSecSuccess else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(status))
    }
  }

  public nonisolated func token(for account: String) -> String? {
    let query: [String: Any] = [
      kSecClass as String: kSecClassGenericPassword,
      kSecAttrService as String: "org.example.tokens",
      kSecAttrAccount as String: account, kSecReturnData as String: true,
    ]
    var item: CFTypeRef?
    guard SecItemCopyMatching(query as CFDictionary, &item) == errSecSuccess,
      let data = item as? Data
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}

/// 32 tasks, two threads and the caller at once, each with a token of its own.
public func runTokens() async -> [String] {
  do {
    for number in 0..<32 { try await Tokens.shared.save("token \(number)", for: "user\(number)") }
  } catch { return ["\(error)"] }
  let fromThreads = AsyncStream<Bool> { stream in
    for number in 0..<2 {
      Thread.detachNewThread {
        stream.yield(
          (0..<20).allSatisfy { _ in
            Tokens.shared.token(for: "user\(number)") == "token \(number)"
          })
      }
    }
  }
  return await withTaskGroup(of: Bool.self) { group in
    for number in 0..<32 {
      group.addTask {
        (0..<10).allSatisfy { _ in
          Tokens.shared.token(for: "user\(number)") == "token \(number)"
        }
      }
    }
    let own = (0..<32).allSatisfy { Tokens.shared.token(for: "user\($0)") == "token \($0)" }
    var count = own ? 1 : 0
    for await isRight in group where isRight { count += 1 }
    for await isRight in fromThreads.prefix(2) where isRight { count += 1 }
    return ["\(count)"]
  }
}

public func authenticate() async -> String {
  do {
    let isDone = try await LAContext().evaluatePolicy(
      .deviceOwnerAuthenticationWithBiometrics, localizedReason: "Sign in")
    return "\(isDone)"
  } catch LAError.userCancel {
    return "cancelled"
  } catch let error as LAError where error.code == .biometryNotEnrolled {
    return "enroll"
  } catch {
    return "\((error as NSError).code)"
  }
}
