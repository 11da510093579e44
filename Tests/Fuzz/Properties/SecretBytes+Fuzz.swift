import SecretMemory

extension SecretBytes {
  /// The bytes out of locked memory: what the fuzzer makes is no secret.
  var copied: [UInt8] {
    withBytes { span in span.indices.map { span[$0] } }
  }

  static func of(_ bytes: [UInt8]) throws -> SecretBytes {
    try SecretBytes(copying: bytes.span)
  }
}
