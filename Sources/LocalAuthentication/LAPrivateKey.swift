/// The key of a right. The service uses it, and only by what the right's authorization proved.
public final class LAPrivateKey: NSObject, Sendable {
  private let right: LAPersistedRight

  init(_ right: LAPersistedRight) {
    self.right = right
  }

  public var publicKey: LAPublicKey { LAPublicKey(right.publicKey) }

  /// Signs data, or a digest of it that the caller made, as the algorithm says.
  ///
  /// - Throws: `LAError.notInteractive` while the right is not authorized.
  public func sign(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await Waiting.run { try self.signed(data, algorithm) }
  }

  /// As the `async` form.
  public func sign(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    Waiting.run({ try self.signed(data, algorithm) }, completion: completion)
  }

  public func canSign(using algorithm: SecKeyAlgorithm) -> Bool { can(.sign, algorithm) }

  /// - Throws: as ``sign(_:algorithm:)``.
  public func decrypt(_ data: Data, algorithm: SecKeyAlgorithm) async throws -> Data {
    try await Waiting.run { try self.decrypted(data, algorithm) }
  }

  /// As the `async` form.
  public func decrypt(
    _ data: Data, algorithm: SecKeyAlgorithm,
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    Waiting.run({ try self.decrypted(data, algorithm) }, completion: completion)
  }

  public func canDecrypt(using algorithm: SecKeyAlgorithm) -> Bool { can(.decrypt, algorithm) }

  /// The secret that both sides reach.
  ///
  /// - Parameter publicKey: the other side's point, 65 bytes (X9.63).
  /// - Throws: as ``sign(_:algorithm:)``.
  public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any]
  ) async throws -> Data {
    let parameters = ExchangeParameters(parameters)
    return try await Waiting.run { try self.exchanged(publicKey, algorithm, parameters) }
  }

  /// As the `async` form.
  public func exchangeKeys(
    publicKey: Data, algorithm: SecKeyAlgorithm, parameters: [AnyHashable: Any],
    completion: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) {
    let parameters = ExchangeParameters(parameters)
    Waiting.run(
      { try self.exchanged(publicKey, algorithm, parameters) }, completion: completion)
  }

  public func canExchangeKeys(using algorithm: SecKeyAlgorithm) -> Bool {
    can(.keyExchange, algorithm)
  }

  private func can(_ operation: SecKeyOperationType, _ algorithm: SecKeyAlgorithm) -> Bool {
    guard let key = try? right.secKey() else { return false }
    return SecKeyIsAlgorithmSupported(key, operation, algorithm)
  }

  private func signed(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    guard let result = SecKeyCreateSignature(try right.secKey(), algorithm, data as CFData, nil)
    else { throw SecFailure.authorization }
    return result as Data
  }

  private func decrypted(_ data: Data, _ algorithm: SecKeyAlgorithm) throws -> Data {
    guard let result = SecKeyCreateDecryptedData(try right.secKey(), algorithm, data as CFData, nil)
    else { throw SecFailure.authorization }
    return result as Data
  }

  private func exchanged(
    _ point: Data, _ algorithm: SecKeyAlgorithm, _ parameters: ExchangeParameters
  ) throws -> Data {
    guard let peer = try? SecKey(publicBytes: Array(point), .p256) else {
      throw Foundation.NSError(domain: NSOSStatusErrorDomain, code: Int(errSecParam))
    }
    guard
      let result = SecKeyCopyKeyExchangeResult(
        try right.secKey(), algorithm, peer, parameters.dictionary, nil)
    else { throw SecFailure.authorization }
    return result as Data
  }
}

/// The parameters of a key exchange, to be carried to another thread.
private struct ExchangeParameters: Sendable {
  private let size: Int?
  private let info: Data?

  init(_ parameters: [AnyHashable: Any]) {
    size = parameters[SecKeyKeyExchangeParameter.requestedSize.rawValue as String] as? Int
    info = parameters[SecKeyKeyExchangeParameter.sharedInfo.rawValue as String] as? Data
  }

  var dictionary: CFDictionary {
    var dictionary: [CFString: Any] = [:]
    dictionary[SecKeyKeyExchangeParameter.requestedSize.rawValue] = size
    dictionary[SecKeyKeyExchangeParameter.sharedInfo.rawValue] = info
    return dictionary as CFDictionary
  }
}
