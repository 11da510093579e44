/// The policy of one item: when it may be read (accessibility), what a person must prove
/// (constraint), and how long that proof may serve again (reuse limit).
public struct AccessControl: Hashable, Sendable {
  /// The longest reuse of evidence, in seconds
  /// (`LATouchIDAuthenticationMaximumAllowableReuseDuration`).
  public static let longestReuse: UInt32 = 300

  public let accessibility: Accessibility
  public let constraint: Constraint
  /// Whether a password of the item's own is needed as well, whatever the constraint.
  public let needsApplicationPassword: Bool
  /// Whether the constraint guards the use of a private key instead of reading.
  public let guardsPrivateKeyUsage: Bool
  /// Seconds for which evidence given to another request may open this item; 0 for never.
  public let reuseLimit: UInt32

  /// - Parameter reuseLimit: seconds, 0 to ``longestReuse``.
  /// - Throws: ``AccessControlError`` where Apple answers `errSecParam`.
  public init(
    accessibility: Accessibility = .whenUnlocked, flags: AccessControlFlags = [],
    reuseLimit: UInt32 = 0
  ) throws(AccessControlError) {
    guard flags.isSubset(of: .known) else { throw .unknownFlag }
    guard reuseLimit <= Self.longestReuse else { throw .reuseTooLong }
    self.accessibility = accessibility
    constraint = try Constraint(flags)
    needsApplicationPassword = flags.contains(.applicationPassword)
    guardsPrivateKeyUsage = flags.contains(.privateKeyUsage)
    self.reuseLimit = reuseLimit
  }

  /// The canonical flags: operators only where they join two terms, no companion.
  public var flags: AccessControlFlags {
    var flags = constraint.flags
    if needsApplicationPassword { flags.insert(.applicationPassword) }
    if guardsPrivateKeyUsage { flags.insert(.privateKeyUsage) }
    return flags
  }

  /// Whether reading needs an act of a person or a password.
  public var isGated: Bool {
    constraint != .none || needsApplicationPassword
  }
}
