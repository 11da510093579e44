import SecretMemory
import WhorlClient
import Wire

/// One secret on its way into an environment.
struct Variable {
  let item: ItemIdentity
  let name: [UInt8]

  /// Bytes of a string that execve(2) takes, its final zero included.
  private static let longest = 128 * 1024

  static func all(_ arguments: Arguments) throws(CommandError) -> [Variable] {
    var variables: [Variable] = []
    for list in arguments.allValues("with") {
      for part in parts(list) {
        let variable = try variable(part, arguments)
        guard !variables.contains(where: { $0.name == variable.name }) else {
          throw CommandError(
            usage: "two items would be \(quoted(variable.name))", arguments.command.usage)
        }
        variables.append(variable)
      }
    }
    guard (1...Limits.items).contains(variables.count) else {
      throw CommandError(
        usage: "--with must name 1 to \(Limits.items) items", arguments.command.usage)
    }
    return variables
  }

  private static func variable(
    _ part: (item: [UInt8], name: [UInt8]?), _ arguments: Arguments
  ) throws(CommandError) -> Variable {
    guard !part.item.isEmpty else {
      throw CommandError(
        usage: "--with lacks an item before or after a comma", arguments.command.usage)
    }
    let item = try arguments.item(part.item)
    guard let name = part.name ?? conventional(item.name.account) else {
      throw CommandError(
        usage: "\(quoted(part.item)) makes no name of a variable: write =VAR after it",
        arguments.command.usage)
    }
    guard isValid(name) else {
      throw CommandError(
        usage: "\(quoted(name)) is no name of a variable", arguments.command.usage)
    }
    return Variable(item: item, name: name)
  }

  /// The parts between commas, each cut at its last equals sign. A backslash before one of the two
  /// or another backslash takes its meaning away.
  private static func parts(_ list: [UInt8]) -> [(item: [UInt8], name: [UInt8]?)] {
    var parts: [(item: [UInt8], name: [UInt8]?)] = []
    var text: [UInt8] = []
    var equals: Int?
    func end() {
      parts.append((Array(text[..<(equals ?? text.count)]), equals.map { Array(text[$0...]) }))
      text = []
      equals = nil
    }
    var bytes = list[...]
    while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: ","): end()
      case UInt8(ascii: "="):
        // What was taken for a variable belongs to the item.
        if let equals { text.insert(byte, at: equals) }
        equals = text.count
      case UInt8(ascii: "\\"):
        let isEscape = bytes.first.map { Array(",=\\".utf8).contains($0) } ?? false
        text.append(isEscape ? bytes.removeFirst() : byte)
      default: text.append(byte)
      }
    }
    end()
    return parts
  }

  /// The account in capitals, with `_` for other signs. nil where too little of it would be left:
  /// letters of other scripts, or none at all.
  private static func conventional(_ account: [UInt8]) -> [UInt8]? {
    let name = account.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "_")
      }
    }
    guard account.allSatisfy({ $0 < 0x80 }), name.contains(where: { $0 != UInt8(ascii: "_") })
    else { return nil }
    return isDigit(name[0]) ? [UInt8(ascii: "_")] + name : name
  }

  /// - Throws: when no environment takes a secret of so many bytes.
  func requireRoom(for count: Int) throws(CommandError) {
    guard name.count + count + 2 <= Self.longest else {
      throw CommandError(
        status: FailureCode.badParameter.exitStatus,
        "\(quoted(item.name.bytes)): \(count) bytes are too many for a variable",
        advice: ["“whorl read” gives it to a program by a pipe or a file."])
    }
  }

  private static func isValid(_ name: [UInt8]) -> Bool {
    guard let first = name.first, !isDigit(first) else { return false }
    return name.allSatisfy { byte in
      isDigit(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// `VAR=secret` strings, each ended by a zero, in one piece of locked memory.
  static func block(
    _ variables: [Variable], _ secrets: [SecretBytes]
  ) throws(CommandError) -> SecretBytes {
    let count = zip(variables, secrets).reduce(0) { $0 + $1.0.name.count + $1.1.count + 2 }
    guard let block = try? SecretBytes(count: count) else {
      throw CommandError(KeychainError(.busy))
    }
    for (variable, secret) in zip(variables, secrets) {
      // It may have changed since it was looked at.
      try variable.requireRoom(for: secret.count)
    }
    var position = 0
    for (variable, secret) in zip(variables, secrets) {
      let start = position
      let hasZero = secret.withBytes { bytes in
        block.withMutableBytes { block in
          var hasZero = false
          var index = start
          for byte in variable.name + [UInt8(ascii: "=")] {
            block[index] = byte
            index += 1
          }
          for offset in 0..<bytes.count {
            hasZero = hasZero || bytes[offset] == 0
            block[index] = bytes[offset]
            index += 1
          }
          return hasZero
        }
      }
      guard !hasZero else {
        throw CommandError(
          status: FailureCode.badParameter.exitStatus,
          "\(quoted(variable.item.name.bytes)): a secret with a zero byte cannot be a variable")
      }
      position += variable.name.count + secret.count + 2
    }
    return block
  }
}
