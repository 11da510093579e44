import SecretMemory

/// Why a file that holds secrets could not be read as what it was said to be.
public enum FileError: Error, Equatable, Sendable {
  /// From 1.
  case malformed(line: Int)
  /// No memory can be locked.
  case exhausted
}

extension SecretBytes {
  static func field(_ count: Int) throws(FileError) -> SecretBytes {
    guard let field = try? SecretBytes(count: count) else { throw .exhausted }
    return field
  }

  /// A part of a text that holds secrets.
  static func field(of text: SecretBytes, _ range: Range<Int>) throws(FileError) -> SecretBytes {
    let field = try field(range.count)
    text.withBytes { text in
      field.withMutableBytes { field in
        for index in field.indices { field[index] = text[range.lowerBound + index] }
      }
    }
    return field
  }
}
