import Transfer

/// - Throws: unless the error is on a line of the file, and is found there without what follows.
func requireLine(
  _ error: FileError, of bytes: [UInt8], _ read: ([UInt8]) throws(FileError) -> Void
) throws {
  guard case .malformed(let line) = error else { return }
  let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  try require((1...lines.count).contains(line), "an error is on a line of the file")
  let start = Array(lines[..<line].joined(separator: [UInt8(ascii: "\n")]))
  do throws(FileError) { try read(start) } catch {
    return try require(error == .malformed(line: line), "an error is on one line")
  }
  throw Violation("line \(line) is not where the error is")
}
