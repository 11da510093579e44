extension AccessControl {
  /// The length of the binary form in bytes.
  public static let binaryCount = 10

  private static let format: UInt8 = 1

  /// The binary form, which is associated data of everything sealed under this access control:
  /// format (1), accessibility, `uint32` flags, `uint32` reuse limit, big-endian.
  public var binary: [UInt8] {
    let bits = UInt32(flags.rawValue)
    return [
      Self.format, accessibility.code,
      UInt8(truncatingIfNeeded: bits >> 24), UInt8(truncatingIfNeeded: bits >> 16),
      UInt8(truncatingIfNeeded: bits >> 8), UInt8(truncatingIfNeeded: bits),
      UInt8(truncatingIfNeeded: reuseLimit >> 24), UInt8(truncatingIfNeeded: reuseLimit >> 16),
      UInt8(truncatingIfNeeded: reuseLimit >> 8), UInt8(truncatingIfNeeded: reuseLimit),
    ]
  }

  /// - Throws: `.malformed` for anything that ``binary`` would not write, so that one access
  ///   control has one binary form.
  public init(binary: [UInt8]) throws(AccessControlError) {
    guard binary.count == Self.binaryCount, binary[0] == Self.format,
      let accessibility = Accessibility.allCases.first(where: { $0.code == binary[1] })
    else { throw .malformed }
    let flags = AccessControlFlags(rawValue: UInt(Self.integer(binary[2..<6])))
    try self.init(
      accessibility: accessibility, flags: flags, reuseLimit: Self.integer(binary[6..<10]))
    guard self.flags == flags else { throw .malformed }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}
