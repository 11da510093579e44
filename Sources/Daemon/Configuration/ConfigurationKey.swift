/// One key of the configuration file: how it is read, and what people are told about it.
public struct ConfigurationKey: Sendable {
  /// What values there are.
  public enum Form: Equatable, Sendable {
    case path
    case busAddress
    /// The words, and what each means.
    case choice([Choice])
    case number(ClosedRange<Int64>, unit: String)
  }

  public struct Choice: Equatable, Sendable {
    public let word: String
    public let meaning: String
  }

  public let name: String
  public let form: Form
  /// A whole sentence or more.
  public let text: String
  /// What stands for an empty default.
  public let emptyDefault: String
  /// Whether a reload changes it; the rest is read at the start only.
  public let isReloaded: Bool
  /// Takes a value. - Returns: false for one that the key does not have.
  let take: @Sendable (inout Configuration, String) -> Bool
  let value: @Sendable (Configuration) -> String

  /// The value without the file.
  public var standard: String { value(Configuration()) }

  static func path(
    _ name: String, _ key: WritableKeyPath<Configuration, String> & Sendable, _ text: String,
    emptyDefault: String = ""
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, form: .path, text: text, emptyDefault: emptyDefault, isReloaded: false,
      take: { configuration, text in
        configuration[keyPath: key] = text
        return text.utf8.first == UInt8(ascii: "/") && !text.utf8.contains(0)
      },
      value: { $0[keyPath: key] })
  }

  static func busAddress(
    _ name: String, _ key: WritableKeyPath<Configuration, String> & Sendable, _ text: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, form: .busAddress, text: text, emptyDefault: "", isReloaded: false,
      take: { configuration, text in
        configuration[keyPath: key] = text
        return text.hasPrefix("unix:") && !text.utf8.contains(0)
      },
      value: { $0[keyPath: key] })
  }

  static func choice<Value>(
    _ name: String, _ key: WritableKeyPath<Configuration, Value> & Sendable, _ text: String,
    _ meaning: (Value) -> String
  ) -> ConfigurationKey
  where Value: RawRepresentable<String> & CaseIterable & Sendable {
    ConfigurationKey(
      name: name,
      form: .choice(Value.allCases.map { Choice(word: $0.rawValue, meaning: meaning($0)) }),
      text: text, emptyDefault: "", isReloaded: true,
      take: { configuration, text in
        guard let value = Value(rawValue: text) else { return false }
        configuration[keyPath: key] = value
        return true
      },
      value: { $0[keyPath: key].rawValue })
  }

  static func number<Value: FixedWidthInteger & Sendable>(
    _ name: String, _ key: WritableKeyPath<Configuration, Value> & Sendable,
    in range: ClosedRange<Int64>, unit: String, isReloaded: Bool = true, _ text: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      name: name, form: .number(range, unit: unit), text: text, emptyDefault: "",
      isReloaded: isReloaded,
      take: { configuration, text in
        guard let number = Int64(text), range.contains(number) else { return false }
        configuration[keyPath: key] = Value(number)
        return true
      },
      value: { String($0[keyPath: key]) })
  }
}
