import SecretMemory

@testable import Vault

extension FuzzTarget {
  static let generationSlot = FuzzTarget(name: "generation-slot") { bytes in
    let slot = try SecretBytes.of(bytes)
    let generation: Generation?
    do { generation = try GenerationSlot.generation(slot) } catch { return }
    let printed = try GenerationSlot.plaintext(generation)
    if generation == nil {
      try require(try GenerationSlot.generation(printed) == nil, "no generation reads as none")
    } else {
      try require(printed.copied == bytes, "a live slot has one encoding")
    }
  }
}
