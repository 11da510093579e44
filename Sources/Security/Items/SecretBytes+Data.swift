import SecretMemory
import Wire

extension SecretBytes {
  /// - Throws: `errSecDataTooLarge` over 1 MiB, `errSecAllocate` when no memory can be locked.
  package convenience init(_ data: Data) throws(ItemFailure) {
    guard data.count <= Limits.secret else { throw ItemFailure(errSecDataTooLarge) }
    do throws(SecretMemoryError) { try self.init(count: data.count) } catch {
      throw ItemFailure(errSecAllocate)
    }
    withMutableBytes { bytes in
      for (index, byte) in data.enumerated() { bytes[index] = byte }
    }
  }
}

extension Data {
  /// The secret leaves locked memory here, as the caller asked.
  package init(_ secret: SecretBytes) {
    self.init(capacity: secret.count)
    secret.withBytes { bytes in
      for index in bytes.indices { append(bytes[index]) }
    }
  }
}
