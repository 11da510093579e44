import AccessControl
import SecretMemory

@testable import Vault

extension FuzzTarget {
  /// Two lists of prints.
  static let enrollmentDigest = FuzzTarget(name: "enrollment-digest") { bytes in
    var choices = Choices(bytes)
    let left = entries(&choices)
    let right = entries(&choices)
    let key = try SecretBytes(count: 32)
    let digest = EnrollmentDigest.digest(left, key: key)
    try require(
      EnrollmentDigest.digest(left.reversed(), key: key) == digest,
      "the order of a look does not change the digest")
    let isEqual = left.count == right.count && left.allSatisfy(right.contains)
    try require(
      (EnrollmentDigest.digest(right, key: key) == digest) == isEqual,
      "equal digests mean equal prints")
    try require(
      (EnrollmentDigest.state(.entries(left), key: key) == .empty) == left.isEmpty,
      "only no print is none")
  }

  /// No two entries of a folder have the same path.
  private static func entries(_ choices: inout Choices) -> [PrintEntry] {
    var entries: [PrintEntry] = []
    for _ in 0..<choices.number(below: 6) {
      let entry = PrintEntry(
        path: choices.field(), modified: choices.uint64(), contentHash: choices.field(limit: 32))
      if !entries.contains(where: { $0.path == entry.path }) { entries.append(entry) }
    }
    return entries
  }
}
