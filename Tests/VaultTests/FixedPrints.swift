import Crypto
import SecretMemory
import Vault

/// The same files for every owner, byte for byte.
final class FixedPrints: EnrollmentSource {
  struct File {
    var path: [UInt8]
    var modified: UInt64
    var content: [UInt8]
  }

  var files: [File]

  init(_ files: [File]) {
    self.files = files
  }

  func entries(of owner: Owner, contentKey: SecretBytes) -> EnrolledPrints {
    .entries(
      files.map {
        PrintEntry(
          path: $0.path, modified: $0.modified,
          contentHash: KeyedHash.hash($0.content, key: contentKey))
      })
  }
}
