import Linux
import Wire

/// The rules that an administrator changed by request. They hold over the configuration's, and are
/// kept with the state, since the daemon does not write its configuration.
final class RuleBook {
  private static let keys = [
    "passcode-after-boot", "passcode-after-hours", "passcode-after-failures",
  ]

  /// Called after a change.
  var onChange: (() -> Void)?
  private let path: String
  private var values: [String: String] = [:]

  init(folder: String) {
    path = folder + "/rules"
  }

  /// Reads what was changed before.
  ///
  /// - Throws: when it cannot be understood: a rule that was made stricter must not be lost in
  ///   silence.
  func read() throws(Daemon.StartError) {
    let bytes: [UInt8]
    do { bytes = try File(reading: path).readAll(limit: 4096) } catch {
      guard error.isMissing else { throw Daemon.StartError(text: "\(path): \(error)") }
      return
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      var scratch = Configuration()
      guard words.count == 3, words[1] == "=", Self.keys.contains(words[0]),
        Self.key(words[0])?.take(&scratch, words[2]) == true
      else { throw Daemon.StartError(text: "\(path): it was not written by whorld: \(line)") }
      values[words[0]] = words[2]
    }
  }

  func applied(to configuration: Configuration) -> Configuration {
    var configuration = configuration
    for (name, value) in values { _ = Self.key(name)?.take(&configuration, value) }
    return configuration
  }

  /// - Returns: whether it was written; nothing was changed otherwise.
  func change(_ changes: RuleChanges) -> Bool {
    var new = values
    if let value = changes.passcodeAfterBoot { new[Self.keys[0]] = value ? "on" : "off" }
    if let value = changes.passcodeAfterHours { new[Self.keys[1]] = "\(value)" }
    if let value = changes.passcodeAfterFailures { new[Self.keys[2]] = "\(value)" }
    let text = new.sorted { $0.key < $1.key }.map { "\($0.key) = \($0.value)\n" }.joined()
    guard SmallRecord.write(Array(text.utf8), to: path) else { return false }
    values = new
    onChange?()
    return true
  }

  private static func key(_ name: String) -> ConfigurationKey? {
    ConfigurationKey.all.first { $0.name == name }
  }
}

extension Rules {
  init(_ configuration: Configuration) {
    self.init(
      passcodeAfterBoot: configuration.passcodeAfterBoot == .on,
      passcodeAfterHours: configuration.passcodeAfterHours,
      passcodeAfterFailures: configuration.passcodeAfterFailures)
  }
}
