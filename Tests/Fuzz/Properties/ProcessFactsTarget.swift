@testable import Linux

extension FuzzTarget {
  /// A program's name, then anything that calls itself a list of groups.
  static let processFacts = FuzzTarget(name: "process-facts") { bytes in
    var choices = Choices(bytes)
    // What the kernel keeps of a name; it ends at a zero.
    let name = choices.field(limit: 15).filter { $0 != 0 }
    let fields = ["S", "1", "2", "3", "34816", "-1", "4194560"]
    let line =
      Array("17 (".utf8) + name + Array(") \(fields.joined(separator: " "))\n".utf8)
    let read = ProcessFacts.stateFields(of: line)
    try require(
      read?.dropLast() == fields.dropLast()[...], "a name does not change the fields behind it")

    let groups = choices.rest()
    let expected = groups.split(separator: 0x0a).first { $0.starts(with: Array("0::".utf8)) }
    try require(
      ProcessFacts.controlGroup(in: groups)
        == expected.map { String(decoding: $0.dropFirst(3), as: UTF8.self) },
      "the group is that of the unified hierarchy")
  }
}
