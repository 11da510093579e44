/// What is printed and logged.
extension SwiftJudge {
  mutating func judgeLogs() {
    for call in file.calls where isLog(call) {
      // A member of a file's own type named so is not a log.
      for argument in call.arguments where argument.label != "to" {
        sink(.secretInLog, value: argument.value, at: call.chain)
      }
    }
  }

  private func isLog(_ call: Call) -> Bool {
    let names = file.chainNames(call)
    if names.count == 1, file.text(call.chain) != "." {
      if Self.printers.contains(call.name) { return true }
      guard call.name.hasPrefix("log") || call.name.hasSuffix("Log") || call.name.hasPrefix("DDLog")
      else { return false }
      let words = SecretName.words(call.name)
      return words.count > 1 && (words[0] == "log" || words[words.count - 1] == "log")
        && !["in", "out", "event", "on"].contains(words[1]) && !words.contains("event")
        || call.name == "log" && file.functions["log"] == nil
          && call.arguments.contains { file.kind($0.value.lowerBound) == .stringOpen }
        || words.first == "dd" && words.contains("log")
    }
    if names.first == "Swift", Self.printers.contains(call.name) { return true }
    guard Self.levels.contains(call.name) else { return false }
    let receivers = names.dropLast()
    return receivers.contains { name in
      SecretName.words(name).contains { Self.loggers.contains($0) }
        || file.typeName(name, at: call.index).map { type in
          SecretName.words(type).contains { Self.loggers.contains($0) }
        } ?? false
    }
  }

  private static let printers: Set = [
    "print", "debugPrint", "dump", "NSLog", "NSLogv", "os_log", "syslog", "printf", "vprintf",
    "puts", "os_signpost", "_print",
  ]
  private static let levels: Set = [
    "debug", "info", "notice", "warning", "warn", "error", "fault", "critical", "trace", "log",
    "verbose", "severe", "print", "write", "d", "i", "w", "e", "v", "alert", "emergency", "append",
  ]
  private static let loggers: Set = [
    "log", "logger", "loggers", "logging", "oslog", "console", "journal", "ddlog", "swiftybeaver",
    "applog", "syslog", "print",
  ]
}
