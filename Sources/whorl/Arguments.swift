import WhorlClient
import Wire

/// The words after a command, taken apart by its options. Values are bytes: a name need not be
/// UTF-8.
struct Arguments {
  let command: Command
  /// All of them, as they were typed.
  let words: [[UInt8]]
  private(set) var names: [[UInt8]] = []
  /// Everything after `--`: a program of `run`, and names for the others.
  private(set) var rest: [[UInt8]]?
  private var values: [(name: String, value: [UInt8])] = []

  init(_ words: [[UInt8]], of command: Command) throws(CommandError) {
    self.command = command
    self.words = words
    let options = command.options + [.help]
    var words = words[...]
    while let word = words.popFirst() {
      if word == Array("--".utf8) {
        rest = Array(words)
        break
      }
      guard word.count > 1, word[0] == UInt8(ascii: "-") else {
        names.append(word)
        continue
      }
      let equals = word.firstIndex(of: UInt8(ascii: "="))
      let isLong = word[1] == UInt8(ascii: "-")
      let written = String(
        decoding: word[..<(isLong ? equals ?? word.endIndex : word.endIndex)], as: UTF8.self)
      guard
        let option = options.first(where: { option in
          "--" + option.name == written || option.short.map { "-" + String($0) == written } ?? false
        })
      else { throw CommandError(usage: "unknown option \(displayText(written))", command.usage) }
      if option.value == nil {
        guard !isLong || equals == nil else {
          throw CommandError(usage: "\(written) takes no value", command.usage)
        }
        values.append((option.name, []))
      } else if isLong, let equals {
        values.append((option.name, Array(word[(equals + 1)...])))
      } else {
        guard let value = words.popFirst() else {
          throw CommandError(usage: "\(written) needs a value", command.usage)
        }
        values.append((option.name, value))
      }
    }
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
    // After “--” stand names that begin with a dash.
    let names = names + (rest ?? [])
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
    guard names.isEmpty, rest == nil else {
      throw CommandError(usage: "\(command.name) takes no name", command.usage)
    }
  }

  /// The pairs of `--attr KEY=VALUE` and the label.
  func attributes(changing old: Attributes = Attributes()) throws(CommandError) -> Attributes {
    var attributes = old
    if let label = value("label") { attributes["labl"] = label }
    for pair in allValues("attr") {
      guard let equals = pair.firstIndex(of: UInt8(ascii: "=")), equals > 0 else {
        throw CommandError(usage: "--attr needs KEY=VALUE", command.usage)
      }
      let value = Array(pair[(equals + 1)...])
      attributes[Array(pair[..<equals])] = value.isEmpty && !old.pairs.isEmpty ? nil : value
    }
    return attributes
  }
}
