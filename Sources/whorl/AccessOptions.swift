import AccessControl
import Wire

/// Reads `--access`, `--class`, `--reuse` and `--application-password`.
enum AccessOptions {
  /// - Parameter old: what holds where nothing is given; a new item needs userPresence.
  static func control(
    _ arguments: Arguments, changing old: AccessControl? = nil
  ) throws(CommandError) -> AccessControl {
    var text = try arguments.text("access") ?? old?.text ?? "userPresence"
    if arguments.has("application-password"), !text.contains("applicationPassword") {
      text += " + applicationPassword"
    }
    let name = try arguments.text("class") ?? old?.accessibility.name
    let reuse =
      try arguments.number("reuse", in: 0...AccessControl.longestReuse) ?? old?.reuseLimit ?? 0
    do throws(AccessControlError) {
      return try AccessControl(
        text: text,
        accessibility: name.map { name throws(AccessControlError) in
          try Accessibility(text: name)
        } ?? .whenUnlocked, reuseLimit: reuse)
    } catch {
      throw CommandError(usage: error.explanation, arguments.command.usage)
    }
  }
}
