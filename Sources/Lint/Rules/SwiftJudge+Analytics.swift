/// What leaves for analytics and crash reports.
extension SwiftJudge {
  mutating func judgeAnalytics() {
    for call in file.calls where isReport(call) {
      for argument in call.arguments {
        let key = call.argument("forKey") ?? call.argument("forName") ?? call.argument("key")
        let isKey = ["forKey", "forName", "key"].contains(argument.label)
        if !isKey { sink(.secretInAnalytics, value: argument.value, key: key, at: call.chain) }
        if SecretName.isSecret(argument.label), SecretFlow(self).holdsValue(argument.value) {
          report(.secretInAnalytics, at: call.chain, argument.label)
        }
      }
    }
  }

  private func isReport(_ call: Call) -> Bool {
    let names = file.chainNames(call)
    if names.count == 1 {
      return ["trackEvent", "logEvent", "logAnalyticsEvent"].contains(call.name)
    }
    if Self.specific.contains(call.name) { return true }
    guard Self.verbs.contains(call.name) else { return false }
    return names.dropLast().contains { name in
      isTracker(name) || file.typeName(name, at: call.index).map(isTracker) ?? false
    }
  }

  private func isTracker(_ name: String) -> Bool {
    SecretName.words(name).contains { Self.trackers.contains($0) }
  }

  private static let verbs: Set = [
    "logEvent", "track", "log", "record", "setUserProperty", "identify", "capture", "send",
    "setCustomValue", "setUserID", "setUserId", "event", "report", "screen", "trackEvent",
    "setAttribute", "addBreadcrumb", "setTag", "setExtra", "signal", "leaveBreadcrumb", "setValue",
    "setContext", "addAttribute", "addMetadata", "logCustomEvent", "setUserProperties",
    "setSuperProperties", "registerSuperProperties", "set", "captureMessage", "recordError",
    "setCustomKeysAndValues", "logCustom", "sendEvent", "notify", "setObjectValue", "setUser",
  ]
  /// Of crash reporters alone, whatever the receiver is called.
  private static let specific: Set = [
    "setExtra", "addBreadcrumb", "leaveBreadcrumb", "setCustomValue", "setUserProperty",
  ]
  private static let trackers: Set = [
    "analytics", "mixpanel", "amplitude", "crashlytics", "sentry", "firebase", "posthog",
    "telemetry", "telemetrydeck", "datadog", "bugsnag", "tracker", "segment", "appsflyer",
    "newrelic", "flurry", "heap", "matomo", "rum", "instabug", "braze",
  ]
}
