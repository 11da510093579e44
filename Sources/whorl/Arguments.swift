import WhorlClient
import Wire

/// The words after a command, taken apart by its options. Values are bytes: a name need not be
/// UTF-8.
struct Arguments {
  let command: Command
  /// All of them, as they were typed.
  let words: [[UInt8]]
  private(set) var names: [[UInt8]] = []
  /// The program and its arguments: everything after `--`, where the command runs one.
  private(set) var program: [[UInt8]] = []
  private var values: [(name: String, value: [UInt8])] = []

  init(_ words: [[UInt8]], of command: Command) throws(CommandError) {
    self.command = command
    self.words = words
    var words = words[...]
    while let word = words.popFirst() {
      if word == Array("--".utf8) {
        if command.runsProgram { program = Array(words) } else { names += words }
        break
      }
      guard word.count > 1, word[0] == UInt8(ascii: "-") else {
        names.append(word)
        continue
      }
      let (written, attached) = Self.split(word)
      let options = command.options + [.help]
      guard
        let option = options.first(where: { option in
          "--" + option.name == written || option.short.map { "-" + String($0) == written } ?? false
        })
      else {
        let near = Spelling.nearest(written, among: options.map { "--" + $0.name })
        throw CommandError(
          usage: "unknown option \(displayText(written))" + Spelling.question(near), command.usage)
      }
      if option.value == nil {
        guard attached == nil else {
          throw CommandError(usage: "\(written) takes no value", command.usage)
        }
        values.append((option.name, []))
      } else {
        guard let value = attached ?? words.popFirst() else {
          throw CommandError(usage: "\(written) needs a value", command.usage)
        }
        values.append((option.name, value))
      }
    }
  }

  /// The option as it is written, and the value that is written with it: `--number=3`, `-n3`.
  private static func split(_ word: [UInt8]) -> (option: String, value: [UInt8]?) {
    let isLong = word[1] == UInt8(ascii: "-")
    let end = isLong ? word.firstIndex(of: UInt8(ascii: "=")) ?? word.count : 2
    let value = end < word.count ? Array(word[(end + (isLong ? 1 : 0))...]) : nil
    return (String(decoding: word[..<end], as: UTF8.self), value)
  }

  func has(_ name: String) -> Bool { values.contains { $0.name == name } }

  /// The last value given.
  func value(_ name: String) -> [UInt8]? { values.last { $0.name == name }?.value }

  func allValues(_ name: String) -> [[UInt8]] {
    values.filter { $0.name == name }.map(\.value)
  }

  func text(_ name: String) throws(CommandError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw CommandError(usage: "--\(name) is no UTF-8 text", command.usage)
    }
    return text
  }

  func number(_ name: String, in range: ClosedRange<UInt32>) throws(CommandError) -> UInt32? {
    guard let text = try text(name) else { return nil }
    guard let number = UInt32(text), range.contains(number) else {
      throw CommandError(
        usage: "--\(name) must be a number from \(range.lowerBound) to \(range.upperBound)",
        command.usage)
    }
    return number
  }

  var group: [UInt8] { value("group") ?? Array("whorl".utf8) }

  /// The items named, of which there must be as many as `range` says.
  func items(_ range: ClosedRange<Int>) throws(CommandError) -> [ItemIdentity] {
    guard names.count >= range.lowerBound else {
      throw CommandError(usage: "the name of an item is missing", command.usage)
    }
    guard names.count <= range.upperBound else {
      throw CommandError(
        usage: range.upperBound == 1 ? "one name only" : "\(range.upperBound) names at most",
        command.usage)
    }
    var items: [ItemIdentity] = []
    for name in names { items.append(try item(name)) }
    return items
  }

  func item(_ name: [UInt8]) throws(CommandError) -> ItemIdentity {
    guard let parsed = ItemName(name) else {
      throw CommandError(usage: "\(quoted(name)) is no name: [SERVICE/]ACCOUNT", command.usage)
    }
    return ItemIdentity(parsed, group: group)
  }

  func requireNoNames() throws(CommandError) {
    guard names.isEmpty else {
      throw CommandError(usage: "\(command.name) takes no name", command.usage)
    }
  }

  /// The pairs of `--attr KEY=VALUE` and the label. An empty value takes an attribute away.
  ///
  /// - Parameter old: what is there already.
  func attributes(changing old: Attributes = Attributes()) throws(CommandError) -> Attributes {
    var attributes = old
    if let label = value("label") { attributes["labl"] = label.isEmpty ? nil : label }
    for (key, value) in try pairs() { attributes[key] = value.isEmpty ? nil : value }
    return attributes
  }

  /// The values that `--attr KEY=VALUE` asks for, empty ones included.
  func wantedAttributes() throws(CommandError) -> Attributes {
    var attributes = Attributes()
    for (key, value) in try pairs() { attributes[key] = value }
    return attributes
  }

  private func pairs() throws(CommandError) -> [(key: [UInt8], value: [UInt8])] {
    var pairs: [(key: [UInt8], value: [UInt8])] = []
    for pair in allValues("attr") {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
        throw CommandError(usage: "--attr needs KEY=VALUE", command.usage)
      }
      let key = AttributeName.code(Array(pair[..<equals]))
      pairs.append((key, Array(pair[(equals + 1)...])))
    }
    return pairs
  }
}
