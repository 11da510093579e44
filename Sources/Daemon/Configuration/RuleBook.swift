import Linux
import Wire

/// The rules that an administrator changed by request: they make the configuration's stricter, and
/// never looser. Kept with the state, since the daemon does not write its configuration.
final class RuleBook {
  /// Called after a change, with what holds now.
  var onChange: ((Rules) -> Void)?
  private let path: String
  private var changes = RuleChanges()
  private var configured = Rules(Configuration())

  init(folder: String) {
    path = folder + "/rules"
  }

  /// Reads what was changed before.
  ///
  /// - Throws: when it cannot be understood, or is cut short: a rule that was made stricter must not
  ///   be lost in silence.
  func read() throws(Daemon.StartError) {
    let bytes: [UInt8]
    do { bytes = try File(reading: path).readAll(limit: 4096) } catch {
      guard error.isMissing else { throw Daemon.StartError(text: "\(path): \(error)") }
      return
    }
    guard bytes.last == UInt8(ascii: "\n") else {
      throw Daemon.StartError(text: "\(path): it is cut short")
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      guard take(line.split(separator: " ").map(String.init)) else {
        throw Daemon.StartError(text: "\(path): it was not written by whorld: \(line)")
      }
    }
  }

  private func take(_ words: [String]) -> Bool {
    var scratch = Configuration()
    guard words.count == 3, words[1] == "=",
      ConfigurationKey.all.first(where: { $0.name == words[0] })?.take(&scratch, words[2]) == true
    else { return false }
    let rules = Rules(scratch)
    switch words[0] {
    case "passcode-after-boot": changes.passcodeAfterBoot = rules.passcodeAfterBoot
    case "passcode-after-hours": changes.passcodeAfterHours = rules.passcodeAfterHours
    case "passcode-after-failures": changes.passcodeAfterFailures = rules.passcodeAfterFailures
    default: return false
    }
    return true
  }

  /// A configuration that was just read, with what holds over it. Tells the log of that.
  func applied(to configuration: Configuration) -> Configuration {
    configured = Rules(configuration)
    let rules = configured.tightened(by: changes)
    for (old, new) in zip(configured.settings, rules.settings) where old.value != new.value {
      ServiceNote.write(
        "\(new.key) is \(new.value) by “whorl rules”, over the configuration's \(old.value)")
    }
    var configuration = configuration
    configuration.take(rules)
    return configuration
  }

  /// Whether the configuration is stricter than one of these.
  func isLooser(_ changes: RuleChanges) -> Bool {
    zip(configured.tightened(by: changes).settings, configured.changed(by: changes).settings)
      .contains { $0.value != $1.value }
  }

  /// To change a rule to what the configuration says is to change it no more.
  ///
  /// - Returns: whether it was written; nothing was changed otherwise.
  func change(_ new: RuleChanges) -> Bool {
    var all = changes
    if let value = new.passcodeAfterBoot {
      all.passcodeAfterBoot = value == configured.passcodeAfterBoot ? nil : value
    }
    if let value = new.passcodeAfterHours {
      all.passcodeAfterHours = value == configured.passcodeAfterHours ? nil : value
    }
    if let value = new.passcodeAfterFailures {
      all.passcodeAfterFailures = value == configured.passcodeAfterFailures ? nil : value
    }
    guard write(all) else { return false }
    changes = all
    onChange?(configured.tightened(by: changes))
    return true
  }

  private func write(_ changes: RuleChanges) -> Bool {
    let text = changes.settings.map { "\($0.key) = \($0.value)\n" }.joined()
    guard text.isEmpty else {
      return SmallRecord.write(Array(text.utf8), to: path, outlivesBoot: true)
    }
    // An empty file is what a crash leaves, and never meant.
    do throws(SystemError) { try Folder.remove(file: path) } catch { return error.isMissing }
    return SmallRecord.syncFolder(of: path)
  }
}

extension Rules {
  init(_ configuration: Configuration) {
    self.init(
      passcodeAfterBoot: configuration.passcodeAfterBoot == .on,
      passcodeAfterHours: configuration.passcodeAfterHours,
      passcodeAfterFailures: configuration.passcodeAfterFailures)
  }

  fileprivate var settings: [(key: String, value: String)] {
    RuleChanges(
      passcodeAfterBoot: passcodeAfterBoot, passcodeAfterHours: passcodeAfterHours,
      passcodeAfterFailures: passcodeAfterFailures
    ).settings
  }

  fileprivate func changed(by changes: RuleChanges) -> Rules {
    Rules(
      passcodeAfterBoot: changes.passcodeAfterBoot ?? passcodeAfterBoot,
      passcodeAfterHours: changes.passcodeAfterHours ?? passcodeAfterHours,
      passcodeAfterFailures: changes.passcodeAfterFailures ?? passcodeAfterFailures)
  }

  /// Of each rule the stricter one.
  fileprivate func tightened(by changes: RuleChanges) -> Rules {
    let changed = changed(by: changes)
    return Rules(
      passcodeAfterBoot: passcodeAfterBoot || changed.passcodeAfterBoot,
      passcodeAfterHours: Self.stricter(passcodeAfterHours, changed.passcodeAfterHours),
      passcodeAfterFailures: Self.stricter(passcodeAfterFailures, changed.passcodeAfterFailures))
  }

  /// 0 is never.
  private static func stricter(_ one: UInt32, _ other: UInt32) -> UInt32 {
    one == 0 || other == 0 ? max(one, other) : min(one, other)
  }
}

extension Configuration {
  mutating func take(_ rules: Rules) {
    passcodeAfterBoot = rules.passcodeAfterBoot ? .on : .off
    passcodeAfterHours = rules.passcodeAfterHours
    passcodeAfterFailures = rules.passcodeAfterFailures
  }
}
