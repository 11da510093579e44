import AccessControl
import Linux
import WhorlClient
import Wire

extension Command {
  static let log = Command(
    name: "log", synopsis: "[options]", summary: "print the record of what was asked for",
    text: """
      One line for each request: when, what, for which program, by which factor, outcome; one for \
      each finger or password that was wrong; one where your keyring became the only place of an \
      item (place); and one for each change of the fingerprints that invalidated something. With \
      --user, an administrator reads the record of another account, in which that is told.
      """,
    options: [
      .json,
      Option(
        name: "number", short: "n", value: "COUNT",
        summary: "the newest COUNT records, 1 to 256; 20 by default"),
      Option(name: "export", summary: "all records there are, as JSON"), .user, .noInteraction,
    ]
  ) { arguments throws(CommandError) in
    try arguments.requireNoNames()
    let limit = try arguments.number("number", in: 1...UInt32(Limits.page)) ?? 20
    let keychain = Client.silentKeychain(arguments)
    let user = arguments.value("user")
    var records: [AuditRecord]
    if user != nil || arguments.has("export") {
      let options = try Client.options(arguments)
      records = try administer { () throws(KeychainError) in
        try keychain.log(ofUser: user ?? [], options: options)
      }
      if !arguments.has("export") { records = records.suffix(Int(limit)) }
    } else {
      records = try attempt { () throws(KeychainError) in try keychain.log(limit: limit) }
    }
    if arguments.has("json") || arguments.has("export") {
      try Output.print(JSON.array(records.map(RecordText.json)).encoded)
    } else if !records.isEmpty {
      try Output.print(records.map(RecordText.line).joined(separator: "\n"))
    }
    return 0
  }
}

enum RecordText {
  static func line(_ record: AuditRecord) -> String {
    let date = CalendarClock.text(record.time) + "  "
    // Nobody asked for it.
    if record.action == .generationEnded {
      let what = record.item.isEmpty ? "all of them" : FingerName.text(printPath: record.item)
      return date + "fingerprints changed (\(what)): what was bound to them is invalidated"
    }
    let factors = record.factors.map(name).joined(separator: " and ")
    return date + "\(record.action)" + (record.item.isEmpty ? "" : " \(quoted(record.item))")
      + " for \(quoted(record.program)) (\(record.process))"
      + (factors.isEmpty ? "" : ", by \(factors)") + ": "
      + outcome(record)
  }

  private static func outcome(_ record: AuditRecord) -> String {
    switch record.failure {
    case nil: "done"
    // With a factor it is one try, and with none the request.
    case .authenticationFailed where !record.factors.isEmpty: "it was wrong"
    case .locked: "the session or the keyring is locked"
    case let failure?: Advice.fact(failure)
    }
  }

  static func json(_ record: AuditRecord) -> JSON {
    .object([
      ("time", .number(Int64(clamping: record.time))), ("user", .number(Int64(record.user))),
      ("process", .number(Int64(record.process))), ("program", .bytes(record.program)),
      ("action", .text("\(record.action)")), ("item", .bytes(record.item)),
      ("factors", .array(record.factors.map { .text("\($0)") })),
      ("failure", record.failure.map { .text("\($0)") } ?? .null),
    ])
  }

  static func name(_ factor: Factor) -> String {
    switch factor {
    case .biometry: "finger"
    case .devicePasscode: "password"
    case .applicationPassword: "the item's password"
    case .presence: "the desktop's dialog"
    }
  }
}
