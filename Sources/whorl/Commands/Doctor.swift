import Linux
import WhorlClient
import Wire

extension Command {
  static let doctor = Command(
    name: "doctor", synopsis: "[options]",
    summary: "check the installation, and say how to mend each finding",
    text:
      "Exits 1 when something is broken. A finding that only limits what can be used is a note.",
    options: [.json], isAboutItems: false
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    let findings = Checks.run(Client.silentKeychain(arguments))
    if arguments.has("json") {
      try Output.print(JSON.array(findings.map(\.json)).encoded)
    } else {
      try Output.print(findings.map(\.text).joined(separator: "\n"))
    }
    return findings.contains { $0.grade == .broken } ? 1 : 0
  }
}

/// One thing looked at.
struct Finding {
  enum Grade: String {
    case good = "ok"
    case note, broken
  }

  let grade: Grade
  let message: String
  /// How to mend it.
  var remedy = ""

  var text: String {
    let head = grade.rawValue + String(repeating: " ", count: 8 - grade.rawValue.utf8.count)
    return head + message + (remedy.isEmpty ? "" : "\n        → " + remedy)
  }

  var json: JSON {
    .object([
      ("grade", .text(grade.rawValue)), ("message", .text(message)), ("remedy", .text(remedy)),
    ])
  }

  static func check(_ good: Bool, _ yes: String, _ no: Finding) -> Finding {
    good ? Finding(grade: .good, message: yes) : no
  }
}
