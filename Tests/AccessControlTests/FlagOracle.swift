import AccessControl

/// Apple's rules of validity, written a second time from the rules and not from the code: numbers
/// of bits, and no name of the target's own types.
enum FlagOracle {
  static let bits: [UInt] = [
    1 << 0, 1 << 1, 1 << 3, 1 << 4, 1 << 5, 1 << 14, 1 << 15, 1 << 30, 1 << 31,
  ]

  /// All sums of the nine bits.
  static var all: [UInt] {
    (0..<(1 << bits.count)).map { subset in
      bits.indices.reduce(0) { $0 | (subset >> $1 & 1 == 1 ? bits[$1] : 0) }
    }
  }

  /// What must be proven, as a list of alternatives, each the set of bits that must all be proven;
  /// nil when the sum is no access control.
  static func alternatives(_ sum: UInt) -> Set<Set<UInt>>? {
    func has(_ bit: UInt) -> Bool { sum & bit != 0 }
    let (presence, any, current, passcode, companion) = (
      UInt(1), UInt(2), UInt(8), UInt(16), UInt(32)
    )
    let (or, and) = (has(16384), has(32768))
    // Only one logical operation; only one biometric constraint.
    if or && and { return nil }
    if has(any) && has(current) { return nil }
    // User presence goes with an application password and key usage only.
    if has(presence) {
      let others = sum & ~(presence | 1 << 30 | 1 << 31)
      return others == 0 ? [[any], [passcode]] : nil
    }
    let real = [any, current, passcode].filter(has)
    // A companion is never there: an alternative without it is needed.
    if has(companion), !or || real.isEmpty { return nil }
    // An operator joins something.
    if or || and, real.isEmpty { return nil }
    if real.isEmpty { return [[]] }
    // Without an operator, all.
    return or ? Set(real.map { [$0] }) : [Set(real)]
  }
}
