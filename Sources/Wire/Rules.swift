/// When a password is wanted before a finger.
public struct Rules: Equatable, Sendable {
  public static let hoursLimit: UInt32 = 8760
  public static let failuresLimit: UInt32 = 1000

  /// Whether a finger does only after the password was given since boot.
  public var passcodeAfterBoot: Bool
  /// Hours after which a finger does no more until the password is given; 0 for never.
  public var passcodeAfterHours: UInt32
  /// Fingers that do not match, one after another, before only the password does; 0 for never.
  public var passcodeAfterFailures: UInt32

  public init(
    passcodeAfterBoot: Bool, passcodeAfterHours: UInt32, passcodeAfterFailures: UInt32
  ) {
    self.passcodeAfterBoot = passcodeAfterBoot
    self.passcodeAfterHours = passcodeAfterHours
    self.passcodeAfterFailures = passcodeAfterFailures
  }

  func encode(into encoder: inout Encoder) {
    encoder.bool(passcodeAfterBoot)
    encoder.uint32(passcodeAfterHours)
    encoder.uint32(passcodeAfterFailures)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    passcodeAfterBoot = try decoder.bool()
    passcodeAfterHours = try decoder.uint32()
    passcodeAfterFailures = try decoder.uint32()
  }
}

/// What an administrator changes of the rules; nil leaves as it is.
public struct RuleChanges: Equatable, Sendable {
  public var passcodeAfterBoot: Bool?
  /// 0 to ``Rules/hoursLimit``.
  public var passcodeAfterHours: UInt32?
  /// 0 to ``Rules/failuresLimit``.
  public var passcodeAfterFailures: UInt32?

  public init(
    passcodeAfterBoot: Bool? = nil, passcodeAfterHours: UInt32? = nil,
    passcodeAfterFailures: UInt32? = nil
  ) {
    self.passcodeAfterBoot = passcodeAfterBoot
    self.passcodeAfterHours = passcodeAfterHours
    self.passcodeAfterFailures = passcodeAfterFailures
  }

  /// What is changed, in the words of the configuration.
  public var settings: [(key: String, value: String)] {
    [
      ("passcode-after-boot", passcodeAfterBoot.map { $0 ? "on" : "off" }),
      ("passcode-after-hours", passcodeAfterHours.map { "\($0)" }),
      ("passcode-after-failures", passcodeAfterFailures.map { "\($0)" }),
    ].compactMap { key, value in value.map { (key, $0) } }
  }

  func encode(into encoder: inout Encoder) {
    encoder.optional(passcodeAfterBoot) { encoder, value in encoder.bool(value) }
    encoder.optional(passcodeAfterHours) { encoder, value in encoder.uint32(value) }
    encoder.optional(passcodeAfterFailures) { encoder, value in encoder.uint32(value) }
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    passcodeAfterBoot = try decoder.optional { decoder throws(DecodingError) in
      try decoder.bool()
    }
    passcodeAfterHours = try decoder.optional { decoder throws(DecodingError) in
      try decoder.uint32()
    }
    passcodeAfterFailures = try decoder.optional { decoder throws(DecodingError) in
      try decoder.uint32()
    }
    guard passcodeAfterHours ?? 0 <= Rules.hoursLimit,
      passcodeAfterFailures ?? 0 <= Rules.failuresLimit
    else { throw .invalid }
  }
}
