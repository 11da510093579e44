import Systemd

@testable import HostAuthentication

extension FuzzTarget {
  /// Properties of a session as logind, or whoever has its name, could give them.
  static let sessionFacts = FuzzTarget(name: "session-facts") { bytes in
    var choices = Choices(bytes)
    var facts = SessionFacts(properties: properties(&choices))
    let before = facts
    while !choices.isEmpty { facts.apply(properties(&choices)) }
    try require(
      facts.uid == before.uid && facts.id == before.id,
      "a change does not give a session to somebody else")
    try require(
      SessionFacts(properties: [:]).uid == UInt32.max, "a session of nobody known is nobody's")
  }

  private static let names = [
    "Id", "User", "Class", "Active", "Seat", "Remote", "RemoteHost", "TTY", "State", "LockedHint",
  ]

  private static func properties(_ choices: inout Choices) -> [String: BusValue] {
    var properties: [String: BusValue] = [:]
    for _ in 0..<choices.number(below: 11) {
      properties[names[choices.number(below: names.count)]] = value(&choices, depth: 0)
    }
    return properties
  }

  private static func value(_ choices: inout Choices, depth: Int) -> BusValue {
    switch choices.number(below: depth < 3 ? 8 : 6) {
    case 0: .bool(choices.bool())
    case 1: .uint32(UInt32(truncatingIfNeeded: choices.uint64()))
    case 2: .uint64(choices.uint64())
    case 3: .string(String(decoding: choices.field(limit: 8), as: UTF8.self))
    case 4: .objectPath("/")
    case 5: .int32(Int32(choices.byte()))
    case 6: .variant(value(&choices, depth: depth + 1))
    default:
      .structure(
        (0..<choices.number(below: 4)).map { _ in value(&choices, depth: depth + 1) })
    }
  }
}
