extension AccessControl {
  /// The text form: `constraint [+ applicationPassword] [+ privateKeyUsage]`, where the constraint
  /// is `none`, one flag, or flags joined by only `|` or only `&`.
  ///
  /// Accessibility and reuse limit are not part of it.
  public var text: String {
    var text = constraint.text
    if needsApplicationPassword { text += " + applicationPassword" }
    if guardsPrivateKeyUsage { text += " + privateKeyUsage" }
    return text
  }

  /// Reads the text form. Spaces around the operators are free.
  public init(
    text: String, accessibility: Accessibility = .whenUnlocked, reuseLimit: UInt32 = 0
  ) throws(AccessControlError) {
    var parts = Self.split(text, at: "+")
    var flags = try Self.constraintFlags(parts.removeFirst())
    for part in parts {
      let flag: AccessControlFlags
      switch part {
      case "applicationPassword": flag = .applicationPassword
      case "privateKeyUsage": flag = .privateKeyUsage
      default: throw .unknownFlag
      }
      guard flags.insert(flag).inserted else { throw .unknownFlag }
    }
    try self.init(accessibility: accessibility, flags: flags, reuseLimit: reuseLimit)
  }

  private static func constraintFlags(
    _ text: Substring
  ) throws(AccessControlError) -> AccessControlFlags {
    if text == "none" { return [] }
    let isAny = text.contains("|")
    guard !(isAny && text.contains("&")) else { throw .bothOperators }
    let words = split(text, at: isAny ? "|" : "&")
    var flags: AccessControlFlags = words.count < 2 ? [] : isAny ? .or : .and
    for word in words {
      let flag: AccessControlFlags
      switch word {
      case "userPresence": flag = .userPresence
      case "biometryAny", "touchIDAny": flag = .biometryAny
      case "biometryCurrentSet", "touchIDCurrentSet": flag = .biometryCurrentSet
      case "devicePasscode": flag = .devicePasscode
      case "watch", "companion": flag = .companion
      default: throw .unknownFlag
      }
      guard flags.insert(flag).inserted else { throw .unknownFlag }
    }
    return flags
  }

  private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
    Substring(text).split(separator: separator, omittingEmptySubsequences: false).map { part in
      var part = part
      while part.first == " " { part.removeFirst() }
      while part.last == " " { part.removeLast() }
      return part
    }
  }
}
