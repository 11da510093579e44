import SecretMemory

/// The rows of a CSV file (RFC 4180), whose fields may be secrets.
public struct SecretTable {
  /// The names of the columns.
  public let columns: [[UInt8]]
  /// Each as many fields as there are columns.
  public let rows: [[SecretBytes]]

  /// - Throws: `.malformed` with the line where a row is of another length than the first, or a
  ///   quotation is not closed.
  public init(_ text: SecretBytes) throws(FileError) {
    var rows: [[SecretBytes]] = []
    var scanner = Scanner(text)
    while let row = try scanner.row() {
      // An empty line is no row.
      if row.count == 1, row[0].count == 0 { continue }
      guard rows.isEmpty || row.count == rows[0].count else {
        throw .malformed(line: scanner.line - 1)
      }
      rows.append(row)
    }
    guard let first = rows.first else { throw .malformed(line: 1) }
    columns = first.map(Self.bytes)
    self.rows = Array(rows.dropFirst())
  }

  /// A field that is no secret.
  public static func bytes(_ field: SecretBytes) -> [UInt8] {
    field.withBytes { field in field.indices.map { field[$0] } }
  }

  private struct Scanner {
    private let text: SecretBytes
    private var index: Int
    private(set) var line = 1

    init(_ text: SecretBytes) {
      self.text = text
      // A mark of UTF-8, which some programs write.
      let mark: [UInt8] = [0xef, 0xbb, 0xbf]
      let hasMark =
        text.count >= 3 && text.withBytes { text in (0..<3).allSatisfy { text[$0] == mark[$0] } }
      index = hasMark ? 3 : 0
    }

    private func at(_ index: Int) -> UInt8? {
      index < text.count ? text.withBytes { $0[index] } : nil
    }

    mutating func row() throws(FileError) -> [SecretBytes]? {
      guard index < text.count else { return nil }
      var fields = [try field()]
      while at(index) == UInt8(ascii: ",") {
        index += 1
        fields.append(try field())
      }
      if at(index) == UInt8(ascii: "\r") { index += 1 }
      guard index == text.count || at(index) == UInt8(ascii: "\n") else {
        throw .malformed(line: line)
      }
      index += 1
      line += 1
      return fields
    }

    private mutating func field() throws(FileError) -> SecretBytes {
      let quote = UInt8(ascii: "\"")
      guard at(index) == quote else { return try plainField() }
      let start = index + 1
      var end = start
      var count = 0
      while true {
        guard let byte = at(end) else { throw .malformed(line: line) }
        if byte == UInt8(ascii: "\n") { line += 1 }
        if byte == quote {
          guard at(end + 1) == quote else { break }
          end += 1
        }
        end += 1
        count += 1
      }
      index = end + 1
      let field = try SecretBytes.field(count)
      text.withBytes { text in
        field.withMutableBytes { field in
          var from = start
          for index in field.indices {
            field[index] = text[from]
            from += text[from] == quote ? 2 : 1
          }
        }
      }
      return field
    }

    private mutating func plainField() throws(FileError) -> SecretBytes {
      let start = index
      while let byte = at(index), byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n"),
        !(byte == UInt8(ascii: "\r") && (at(index + 1) ?? 10) == 10)
      {
        index += 1
      }
      return try SecretBytes.field(of: text, start..<index)
    }
  }
}
