/// The public half of the key of a right.
public final class LAPublicKey: NSObject, Sendable {
  private let key: SecKey

  init(_ key: SecKey) {
    self.key = key
  }

  /// The point, 65 bytes (X9.63).
  public var bytes: Data { get async throws { exported } }

  /// As ``bytes``.
  public func exportBytes(completion: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    completion(exported, nil)
  }

  /// - Throws: an error of `NSOSStatusErrorDomain` when the algorithm does not fit.
  public func encrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try encrypted(data, algorithm)
  }

  /// As the `async` form.
  public func encrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    Waiting.run({ try self.encrypted(data, algorithm) }, completion: completion)
  }

  public func canEncrypt(using algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, .encrypt, algorithm)
  }

  /// - Throws: `errSecVerifyFailed` of `NSOSStatusErrorDomain` for another signature.
  public func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm
  ) async throws {
    try verifyNow(signedData, signature, algorithm)
  }

  /// As the `async` form.
  public func verify(
    _ signedData: Data, signature: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    Waiting.run(
      { try self.verifyNow(signedData, signature, algorithm) }, completion: { completion($1) })
  }

  public func canVerify(using algorithm: SecKeyAlgorithm) -> Bool {
    SecKeyIsAlgorithmSupported(key, .verify, algorithm)
  }

  private var exported: Data {
    SecKeyCopyExternalRepresentation(key, nil).map { $0 as Data } ?? Data()
  }

  private func encrypted(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    guard let result = SecKeyCreateEncryptedData(key, algorithm, data as CFData, nil) else {
      throw SecFailure.authorization
    }
    return result as Data
  }

  private func verifyNow(_ data: Data, _ signature: Data, _ algorithm: SecKeyAlgorithm) throws {
    guard SecKeyVerifySignature(key, algorithm, data as CFData, signature as CFData, nil) else {
      throw SecFailure.authorization
    }
  }
}
