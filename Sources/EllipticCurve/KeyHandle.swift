import COpenSSL
import SecretMemory

/// A key inside libcrypto, freed and cleared with the handle.
@safe struct KeyHandle: ~Copyable {
  let raw: OpaquePointer

  /// - Parameter raw: owned from here on.
  @unsafe init(_ raw: OpaquePointer) {
    unsafe self.raw = raw
  }

  deinit { unsafe EVP_PKEY_free(raw) }

  init(publicKey: [UInt8]) throws(P256.Failure) {
    guard publicKey.count == P256.publicCount, publicKey[0] == 4 else { throw .malformed }
    self = try Self.make(point: publicKey, scalar: nil)
  }

  init(privateKey: SecretBytes) throws(P256.Failure) {
    guard privateKey.count == P256.privateCount else { throw .malformed }
    let point = try P256.publicKey(of: privateKey)
    self = try Self.make(point: point, scalar: privateKey)
  }

  /// libcrypto checks that the point is on the curve.
  private static func make(
    point: [UInt8], scalar: SecretBytes?
  ) throws(P256.Failure) -> KeyHandle {
    // SAFETY: builder, parameters, number and context are ours, and freed once; the number and the
    // point outlive the builder, which refers to them.
    guard let builder = unsafe OSSL_PARAM_BLD_new() else { throw .failed }
    defer { unsafe OSSL_PARAM_BLD_free(builder) }
    var number: OpaquePointer?
    defer { unsafe BN_clear_free(number) }
    if let scalar {
      unsafe scalar.withUnsafeBytes { buffer in
        let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        if let start = unsafe start { unsafe number = BN_bin2bn(start + P256.publicCount, 32, nil) }
      }
      guard unsafe number != nil else { throw .failed }
    }
    guard
      unsafe OSSL_PARAM_BLD_push_utf8_string(builder, OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1,
      unsafe OSSL_PARAM_BLD_push_octet_string(
        builder, OSSL_PKEY_PARAM_PUB_KEY, point, point.count) == 1,
      unsafe number == nil
        || OSSL_PARAM_BLD_push_BN_pad(builder, OSSL_PKEY_PARAM_PRIV_KEY, number, 32) == 1,
      let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
    else { throw .failed }
    defer { unsafe OSSL_PARAM_free(parameters) }
    guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil) else { throw .failed }
    defer { unsafe EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    let selection = scalar == nil ? whorl_public_key : whorl_key_pair
    guard unsafe EVP_PKEY_fromdata_init(context) == 1,
      unsafe EVP_PKEY_fromdata(context, &key, selection, parameters) == 1,
      let key = unsafe key
    else { throw .malformed }
    return unsafe KeyHandle(key)
  }
}
