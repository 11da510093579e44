import Foundation
import WhorlClient
import Wire

@testable import WhorlCommands

extension FuzzTarget {
  /// A server's message; what the commands print of it.
  static let commandOutput = FuzzTarget(name: "command-output") { bytes in
    switch try? ServerMessage(bytes) {
    case .failed(let failure):
      let error = KeychainError(failure.code, detail: failure.detail)
      let item = ItemIdentity(
        group: [], service: failure.detail, account: failure.detail.reversed())
      let shown = CommandError(error, about: item)
      try requireDisplayable(shown.message, "a failure")
      for line in shown.advice { try requireDisplayable(line, "advice") }
    case .done(.items(let rows)):
      for row in rows {
        try requireDisplayable(ItemText.line(row), "a list")
        try requireJSON(.object(ItemText.json(row)))
      }
    case .done(.item(let detail)):
      try requireDisplayable(ItemText.text(detail), "an item")
      if case .ended(let change) = detail.binding { try checkCause(change) }
      try requireJSON(ItemText.json(detail))
    case .done(.status(let status)):
      try requireDisplayable(StatusText.text(status), "the status")
      try requireJSON(StatusText.json(status))
    case .done(.records(let records)):
      for record in records {
        try requireDisplayable(RecordText.line(record), "the log")
        try requireJSON(RecordText.json(record))
      }
    default: break
    }
  }

  private static func checkCause(_ change: EnrollmentChange) throws {
    guard let file = change.path.split(separator: UInt8(ascii: "/")).last else { return }
    let isFinger = file.count == 1 && "123456789a".utf8.contains(file[file.startIndex])
    try require(
      isFinger == (FingerName.text(printPath: change.path) != Wire.displayText(change.path)),
      "only the file of a finger is called by its name")
  }

  private static func requireJSON(_ json: JSON) throws {
    let text = Array(json.encoded.utf8)
    try require(text.allSatisfy { (0x20..<0x7f).contains($0) }, "JSON is printable ASCII")
    do { _ = try JSONSerialization.jsonObject(with: Data(text)) } catch {
      throw Violation("what is printed as JSON is JSON: \(json.encoded)")
    }
  }
}
