import WhorlClient
import Wire

extension FuzzTarget {
  static let itemName = FuzzTarget(name: "item-name") { bytes in
    guard let name = ItemName(bytes) else {
      try require(
        bytes.contains(0) || bytes.isEmpty || bytes.last == UInt8(ascii: "/"),
        "a name needs an account and no zero byte, and no more")
      return
    }
    try require(ItemName(name.bytes) == name, "a printed name reads as that name")
    try require(
      !name.account.isEmpty && !name.account.contains(UInt8(ascii: "/")),
      "an account is not empty and has no slash")
    let identity = ItemIdentity(name, group: [])
    try require(identity.name == name, "an item is found by the name it shows")
  }
}
