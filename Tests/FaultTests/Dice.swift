import Foundation

/// Numbers that are the same for the same seed: `WHORL_FAULT_SEED` replays a run.
struct Dice: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  init(_ seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A seed of its own for each run, said on the output.
  static func fresh(_ test: String) -> Dice {
    let given = ProcessInfo.processInfo.environment["WHORL_FAULT_SEED"].flatMap { UInt64($0) }
    let dice = Dice(given ?? UInt64.random(in: 0...999_999_999))
    print("\(test): WHORL_FAULT_SEED=\(dice.seed)")
    return dice
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
