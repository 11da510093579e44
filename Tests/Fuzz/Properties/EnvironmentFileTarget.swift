import SecretMemory

@testable import Transfer

extension FuzzTarget {
  static let environmentFile = FuzzTarget(name: "environment-file") { bytes in
    let file: EnvironmentFile
    do throws(FileError) { file = try read(bytes) } catch {
      try requireLine(error, of: bytes) { text throws(FileError) in _ = try read(text) }
      return
    }
    let assignments = pairs(file)
    try require(
      assignments.allSatisfy { !$0.name.isEmpty && !$0.name.contains(UInt8(ascii: "=")) },
      "an assignment has a name")
    try require(
      pairs(try read(printed(assignments))) == assignments, "printed assignments read as themselves"
    )
    let comment = Array("# '\"\n".utf8)
    try require(
      pairs(try read(comment + bytes)) == assignments, "a comment says nothing")
  }

  private struct Assignment: Equatable {
    let name: [UInt8]
    let value: [UInt8]
  }

  private static func read(_ bytes: [UInt8]) throws(FileError) -> EnvironmentFile {
    guard let text = try? SecretBytes.of(bytes) else { throw .exhausted }
    return try EnvironmentFile(text)
  }

  private static func pairs(_ file: EnvironmentFile) -> [Assignment] {
    file.assignments.map { Assignment(name: $0.name, value: $0.value.copied) }
  }

  /// In the quotes that the value allows.
  private static func printed(_ assignments: [Assignment]) -> [UInt8] {
    var text: [UInt8] = []
    for assignment in assignments {
      text += assignment.name + [UInt8(ascii: "=")]
      if assignment.value.contains(UInt8(ascii: "'")) {
        let quote = UInt8(ascii: "\"")
        text.append(quote)
        for byte in assignment.value {
          if [quote, UInt8(ascii: "\\")].contains(byte) { text.append(UInt8(ascii: "\\")) }
          text.append(byte)
        }
        text.append(quote)
      } else {
        text += [UInt8(ascii: "'")] + assignment.value + [UInt8(ascii: "'")]
      }
      text.append(UInt8(ascii: "\n"))
    }
    return text
  }
}
