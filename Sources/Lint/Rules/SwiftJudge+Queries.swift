/// What keychain items are stored with.
extension SwiftJudge {
  mutating func judgeQueries() {
    for call in file.calls where call.name == "SecItemAdd" {
      guard let query = call.first else { continue }
      let facts = QueryFacts(file, query: query)
      let says = ["kSecAttrAccessible", "kSecAttrAccessControl"].contains {
        facts.words.contains($0)
      }
      if facts.isWhole, !says { report(.missingAccessibility, at: call.chain) }
      if !handlesDuplicate(call) { report(.unhandledDuplicate, at: call.chain) }
    }
    for index in file.texts.indices where file.isWord(index) && !isDeclared(index) {
      judgeWord(index)
    }
    for call in file.calls where call.name == "synchronizable" {
      if let value = call.first, isTrue(value) { report(.synchronizableSecret, at: call.chain) }
    }
  }

  private func isDeclared(_ index: Int) -> Bool {
    ["let", "var", "case", "func"].contains(file.text(index - 1))
  }

  private mutating func judgeWord(_ index: Int) {
    switch file.texts[index] {
    case "kSecAttrAccessibleAlways", "kSecAttrAccessibleAlwaysThisDeviceOnly":
      report(.alwaysAccessible, at: index, file.texts[index])
    case "always", "alwaysThisDeviceOnly":
      if file.text(index - 1) == ".", isAccessibility(index) {
        report(.alwaysAccessible, at: index, file.texts[index])
      }
    case "kSecAttrAccessibleWhenUnlocked", "kSecAttrAccessibleWhenUnlockedThisDeviceOnly",
      "kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly":
      if isBackgroundToken(index) { report(.unlockedInBackground, at: index, file.texts[index]) }
    case "whenUnlocked", "whenUnlockedThisDeviceOnly", "whenPasscodeSetThisDeviceOnly":
      if file.text(index - 1) == ".", isAccessibility(index), isBackgroundToken(index) {
        report(.unlockedInBackground, at: index, file.texts[index])
      }
    case "kSecAttrSynchronizable":
      if let value = value(after: index), isTrue(value), !isDeletion(index) {
        report(.synchronizableSecret, at: index)
      }
    case "synchronizable", "isSynchronizable":
      if file.text(index + 1) == ":", file.enclosing[index] >= 0,
        file.texts[file.enclosing[index]] == "(", file.text(index + 2) == "true"
      {
        report(.synchronizableSecret, at: index)
      }
    default: break
    }
  }

  /// Whether a word is what an accessibility is set to.
  private func isAccessibility(_ index: Int) -> Bool {
    let around = file.enclosing[index]
    let isArgument = around > 0 && file.texts[around] == "("
    let from = isArgument ? around - 1 : file.start[index]
    return (from..<index).contains { place in
      SecretName.words(file.text(place)).contains { ["accessibility", "accessible"].contains($0) }
    }
  }

  /// What a key is set to: after its colon, or after the bracket and `=`.
  private func value(after index: Int) -> Range<Int>? {
    var place = index + 1
    let end = min(index + 12, file.count)
    while place < end, file.texts[place] != ":", file.texts[place] != "=", file.texts[place] != ","
    {
      place += 1
    }
    guard place < end, file.texts[place] != ",", place + 1 < file.count else { return nil }
    return place + 1..<max(file.end(of: place + 1), place + 2)
  }

  private func isTrue(_ range: Range<Int>) -> Bool {
    range.prefix(6).contains { ["true", "kCFBooleanTrue"].contains(file.texts[$0]) }
  }

  private func isDeletion(_ index: Int) -> Bool {
    guard let function = file.function(around: index) else { return false }
    let calls = Set(function.range.map { file.texts[$0] }.filter { $0.hasPrefix("SecItem") })
    return calls == ["SecItemDelete"]
  }

  // MARK: - Duplicates

  private static let handling: Set = [
    "errSecDuplicateItem", "SecItemUpdate", "SecItemDelete", "25299", "duplicateItem",
  ]

  private func handlesDuplicate(_ call: Call) -> Bool {
    guard let function = function(at: call.index) else {
      let around = file.function(around: call.index)?.range ?? 0..<file.count
      return handles(around, 0)
    }
    if handles(function.body, 0) { return true }
    // The status may be handed to a caller who does.
    return file.calls.contains { other in
      other.name == function.name && !function.body.contains(other.index)
        && file.function(around: other.index).map { handles($0.range, 1) } ?? false
    }
  }

  private func handles(_ range: Range<Int>, _ depth: Int) -> Bool {
    for index in range where file.isWord(index) || file.kind(index) == .number {
      let name = file.texts[index]
      if Self.handling.contains(name) { return true }
      guard file.text(index + 1) == "(", depth < 2 else { continue }
      if let functions = file.functions[name] {
        if functions.contains(where: { !$0.body.contains(index) && handles($0.body, depth + 1) }) {
          return true
        }
      } else if let first = SecretName.words(name).first,
        ["delete", "remove", "update"].contains(first)
      {
        return true
      }
    }
    return false
  }

  // MARK: - Background work

  private static let background: Set = [
    "BGTaskScheduler", "BGAppRefreshTask", "BGProcessingTask", "BGAppRefreshTaskRequest",
    "BGProcessingTaskRequest", "backgroundTask", "beginBackgroundTask",
    "setMinimumBackgroundFetchInterval", "performFetchWithCompletionHandler",
    "didReceiveRemoteNotification", "WKApplicationRefreshBackgroundTask",
    "enableBackgroundDelivery", "NSBackgroundActivityScheduler", "PKPushRegistry",
    "handleEventsForBackgroundURLSession", "TimelineProvider", "UNNotificationServiceExtension",
    "AppIntentTimelineProvider", "isDiscretionary",
  ]
  private static let settings: Set = [
    "background", "widget", "silent", "daemon", "sync", "upload", "uploader", "prefetch",
  ]

  /// Whether the item is a token, and something here works in the background.
  private func isBackgroundToken(_ index: Int) -> Bool {
    let around = file.blocks(around: index).filter { $0.kind == .function || $0.kind == .type }
    let region = around.last?.range ?? 0..<file.count
    guard region.contains(where: isToken) || around.contains(where: { isToken(named: $0.name) })
    else { return false }
    let works = file.texts.indices.contains { place in
      Self.background.contains(file.texts[place])
        || (file.texts[place] == "background" && file.text(place + 1) == "("
          && file.text(place + 2) == "withIdentifier")
    }
    if works { return true }
    let near = around.first?.range ?? region
    let names = around.map(\.name) + near.filter { file.kind($0) == .stringOpen }.map(file.literal)
    return names.contains { name in
      SecretName.words(name).contains { Self.settings.contains($0) }
    }
  }

  private func isToken(_ index: Int) -> Bool {
    let name = file.kind(index) == .stringOpen ? file.literal(index) : file.texts[index]
    guard file.isWord(index) || file.kind(index) == .stringOpen else { return false }
    return isToken(named: name)
  }

  private func isToken(named name: String) -> Bool {
    SecretName.words(name).contains { ["token", "tokens", "jwt", "bearer"].contains($0) }
  }
}
