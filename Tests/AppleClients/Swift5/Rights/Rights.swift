import Foundation
import LocalAuthentication

// Rights as apps have them: a vault with a shared store, async calls and completion handlers, a key
// that signs for the server.

@MainActor
public final class Vault {
  public static let shared = Vault()

  private let store = LARightStore.shared

  private init() {}

  public func save(_ secret: String, identifier: String, strict: Bool) async throws {
    let right = LARight(
      requirement: strict ? .biometryCurrentSet : .biometry(fallback: .devicePasscode))
    _ = try await store.saveRight(
      right, identifier: identifier, secret: secret.data(using: .utf8)!)
  }

  public func open(_ identifier: String) async throws -> String? {
    let right = try await store.right(forIdentifier: identifier)
    try await right.checkCanAuthorize()
    try await right.authorize(localizedReason: "Open \(identifier)")
    guard right.state == .authorized else { return nil }
    defer { Task { await right.deauthorize() } }
    return String(data: try await right.secret.rawData, encoding: .utf8)
  }

  public func sign(_ challenge: Data, identifier: String) async throws -> Bool {
    let right = try await store.right(forIdentifier: identifier)
    try await right.authorize(localizedReason: "Sign in")
    let signature = try await right.key.sign(
      challenge, algorithm: .ecdsaSignatureMessageX962SHA256)
    try await right.key.publicKey.verify(
      challenge, signature: signature, algorithm: .ecdsaSignatureMessageX962SHA256)
    return try await right.key.publicKey.bytes.count == 65
  }
}

public func saveRight(_ identifier: String, strict: Bool) async -> String {
  do {
    try await Vault.shared.save("secret of \(identifier)", identifier: identifier, strict: strict)
    return "saved"
  } catch { return describe(error) }
}

public func openRight(_ identifier: String) async -> String {
  do {
    return try await Vault.shared.open(identifier) ?? "not authorized"
  } catch { return describe(error) }
}

public func signWithRight(_ identifier: String) async -> String {
  do {
    return "\(try await Vault.shared.sign(Data("challenge".utf8), identifier: identifier))"
  } catch { return describe(error) }
}

/// As code without `async` has it.
public func removeRight(_ identifier: String, reply: @escaping @Sendable (String) -> Void) {
  LARightStore.shared.removeRight(forIdentifier: identifier) { error in
    guard let error = error else { return reply("removed") }
    reply(describe(error))
  }
}

private func describe(_ error: Error) -> String {
  switch error {
  case LAError.userCancel: return "cancelled"
  case LAError.notInteractive: return "not authorized"
  case let error as LAError: return "LAError \(error.code.rawValue)"
  default: return "\((error as NSError).domain) \((error as NSError).code)"
  }
}
