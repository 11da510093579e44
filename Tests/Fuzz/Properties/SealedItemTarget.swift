import Crypto
import SecretMemory
import Wire

@testable import Vault

extension FuzzTarget {
  static let sealedItem = FuzzTarget(name: "sealed-item") { bytes in
    if let kept = try? KeptItem(bytes) {
      try require(kept.encoded == bytes, "a row has one encoding")
      try require(
        kept.sealed == nil || kept.sealed?.header == kept.header, "a row says what its form says")
    }
    guard let item = try? SealedItem(bytes) else { return }
    try require(item.encoded == bytes, "a sealed item has one encoding")
    try require(item.wraps.count <= 2, "a sealed item has at most two wraps")
    let key = try SecretBytes(count: Sealing.keyCount)
    for box in item.wraps.map(\.box) + [item.box] {
      try require((try? Sealing.open(box, key, [])) == nil, "what nobody sealed does not open")
    }
  }
}
