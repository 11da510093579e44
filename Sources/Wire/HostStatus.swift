import AccessControl

/// What can authenticate now, and why not.
public struct HostStatus: Equatable, Sendable {
  public var biometryObstacle: BiometryObstacle?
  public var hasPasscode: Bool
  public var isUnlocked: Bool
  /// Whether the session's locker never says that it is locked, so that nothing tells its end.
  public var lacksLockHint: Bool
  public var prints: [Print]
  /// Where the PAM services are; empty for the system's own folders.
  public var pamDirectory: [UInt8]

  /// One enrolled print, as its file tells.
  public struct Print: Equatable, Sendable {
    public var path: [UInt8]
    /// fprintd's name of the finger; empty when the file is not a print.
    public var finger: [UInt8]
    public var driver: [UInt8]
    /// Whether the template is in the sensor, where the digest cannot see it change.
    public var isStoredOnDevice: Bool
    /// When the file was written, in seconds since 1970.
    public var written: UInt64

    public init(
      path: [UInt8], finger: [UInt8], driver: [UInt8], isStoredOnDevice: Bool, written: UInt64
    ) {
      self.path = path
      self.finger = finger
      self.driver = driver
      self.isStoredOnDevice = isStoredOnDevice
      self.written = written
    }
  }

  public init(
    biometryObstacle: BiometryObstacle?, hasPasscode: Bool, isUnlocked: Bool,
    lacksLockHint: Bool = false, prints: [Print], pamDirectory: [UInt8] = []
  ) {
    self.biometryObstacle = biometryObstacle
    self.hasPasscode = hasPasscode
    self.isUnlocked = isUnlocked
    self.lacksLockHint = lacksLockHint
    self.prints = prints
    self.pamDirectory = pamDirectory
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint8(biometryObstacle?.rawValue ?? 0)
    encoder.bool(hasPasscode)
    encoder.bool(isUnlocked)
    encoder.bool(lacksLockHint)
    encoder.list(prints) { encoder, print in
      encoder.string(print.path)
      encoder.string(print.finger)
      encoder.string(print.driver)
      encoder.bool(print.isStoredOnDevice)
      encoder.uint64(print.written)
    }
    encoder.string(pamDirectory)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    let code = try decoder.uint8()
    biometryObstacle = BiometryObstacle(rawValue: code)
    guard code == 0 || biometryObstacle != nil else { throw .invalid }
    hasPasscode = try decoder.bool()
    isUnlocked = try decoder.bool()
    lacksLockHint = try decoder.bool()
    prints = try decoder.list(limit: Limits.page) { decoder throws(DecodingError) in
      Print(
        path: try decoder.string(), finger: try decoder.string(), driver: try decoder.string(),
        isStoredOnDevice: try decoder.bool(), written: try decoder.uint64())
    }
    pamDirectory = try decoder.string(limit: 4096)
  }
}
