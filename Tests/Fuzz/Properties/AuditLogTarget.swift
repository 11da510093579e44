import AccessControl
import Wire

@testable import Daemon

extension FuzzTarget {
  /// Records, a torn end, and bytes that are no file of the log.
  static let auditLog = FuzzTarget(name: "audit-log") { bytes in
    var choices = Choices(bytes)
    var records: [AuditRecord] = []
    var whole: [UInt8] = []
    for _ in 0..<choices.number(below: 5) {
      let record = record(&choices)
      records.append(record)
      whole += AuditLogFile.entry(record)
    }
    let next = record(&choices)
    let entry = AuditLogFile.entry(next)
    try require(entry.count <= AuditLogFile.room(for: next), "room is made for all of a record")
    let torn = entry.prefix(Int(choices.uint64() % UInt64(entry.count)))
    let read = AuditLogFile(whole + torn)
    try require(read.records == records, "a torn record hides no whole one")
    try require(read.wholeCount == whole.count, "a torn record is no part of the file")
    try require(
      AuditLogFile(whole + [UInt8](repeating: 0, count: choices.number(below: 64))).wholeCount
        == whole.count, "zeros are no record")

    let other = choices.rest()
    let mended = AuditLogFile(other)
    try require(mended.wholeCount <= other.count, "a file is not longer than it is")
    let again = AuditLogFile(other.prefix(mended.wholeCount) + entry)
    try require(
      again.records == mended.records + [next], "what is written behind whole records is read")
  }

  private static func record(_ choices: inout Choices) -> AuditRecord {
    AuditRecord(
      time: choices.uint64(), user: UInt32(choices.byte()), process: Int32(choices.byte()),
      program: long(&choices, limit: 12_288), action: pick(&choices, AuditRecord.Action.allCases),
      item: long(&choices, limit: 8193),
      factors: Array(Factor.allCases.prefix(choices.number(below: 4))),
      failure: choices.bool() ? pick(&choices, FailureCode.allCases) : nil)
  }

  /// A path or name that may be as long as any can get.
  private static func long(_ choices: inout Choices, limit: Int) -> [UInt8] {
    let count = min(Int(choices.byte()) * Int(choices.byte()), limit)
    return [UInt8](repeating: choices.byte(), count: count)
  }

  static func pick<Element>(_ choices: inout Choices, _ all: [Element]) -> Element {
    all[choices.number(below: all.count)]
  }
}
