import AccessControl
import Linux
import WhorlClient
import Wire

/// An item in words and in JSON; never its secret.
enum ItemText {
  /// By name, then by group.
  static func sorted(_ rows: [ItemRow]) -> [ItemRow] {
    let keys = rows.map { ($0, $0.identity.name.bytes, $0.identity.group) }
    return keys.sorted { left, right in
      left.1 == right.1
        ? left.2.lexicographicallyPrecedes(right.2) : left.1.lexicographicallyPrecedes(right.1)
    }.map(\.0)
  }

  static func json(_ row: ItemRow) -> [(String, JSON)] {
    let primary = zip(row.identity.itemClass.primaryAttributes, row.identity.primary)
    let identity = primary.filter { !$0.1.isEmpty }.map {
      (AttributeName.word($0.0), JSON.bytes($0.1))
    }
    let attributes = row.attributes.pairs.map { pair in
      (String(decoding: AttributeName.word(pair.name), as: UTF8.self), JSON.bytes(pair.value))
    }
    let branches = row.accessControl.constraint.branches
    let dead = branches.filter { row.hasDeadBranch && $0.contains(.biometryCurrentSet) }
    return [
      ("name", .bytes(row.identity.name.bytes)), ("group", .bytes(row.identity.group)),
      ("itemClass", .text("\(row.identity.itemClass)")), ("identity", .object(identity)),
      ("attributes", .object(attributes)),
      ("access", .text(row.accessControl.text)),
      ("class", .text(row.accessControl.accessibility.name)),
      ("reuse", .number(Int64(row.accessControl.reuseLimit))),
      ("store", .text(row.store.word)), ("placed", .bool(row.isPlaced)),
      ("created", .number(Int64(clamping: row.created))),
      ("modified", .number(Int64(clamping: row.modified))),
      ("invalidated", .bool(row.isInvalidated)),
      ("liveBranches", json(branches.filter { !dead.contains($0) })),
      ("invalidatedBranches", json(dead)),
    ]
  }

  /// Each branch as it stands in the text form.
  private static func json(_ branches: [[Requirement]]) -> JSON {
    .array(
      branches.map { branch in
        .text(branch.isEmpty ? "none" : branch.map(\.name).joined(separator: " & "))
      })
  }

  static func json(_ detail: ItemDetail) -> JSON {
    var pairs = json(detail.row)
    pairs.append(("secretBytes", .number(Int64(detail.secretCount))))
    switch detail.binding {
    case .unbound: pairs.append(("binding", .text("unbound")))
    case .live: pairs.append(("binding", .text("live")))
    case .ended(let change):
      pairs.append(("binding", .text("ended")))
      pairs.append(
        (
          "ended",
          .object([
            ("kind", .text("\(change.kind)")), ("path", .bytes(change.path)),
            ("time", .number(Int64(clamping: change.time))),
          ])
        ))
    }
    return .object(pairs)
  }

  static func line(_ row: ItemRow) -> String {
    let store = row.store == .own ? "" : "  " + row.store.word
    let group = row.identity.group == Array("whorl".utf8) ? "" : " in \(quoted(row.identity.group))"
    let label = row.attributes["labl"].map { " \(quoted($0))" } ?? ""
    let state =
      row.isInvalidated ? "  invalidated" : row.hasDeadBranch ? "  finger invalidated" : ""
    return whole(row.identity.name.bytes) + group + label + "  " + row.accessControl.text + store
      + state
  }

  /// A name that is not cut: two long ones must not look the same.
  private static func whole(_ name: [UInt8]) -> String { displayText(name, cells: .max) }

  static func text(_ detail: ItemDetail) -> String {
    let row = detail.row
    var lines = [
      "name        \(whole(row.identity.name.bytes))",
      "group       \(quoted(row.identity.group))",
      "access      \(row.accessControl.text)",
      "class       \(row.accessControl.accessibility.name)",
    ]
    if row.accessControl.reuseLimit > 0 {
      lines.append("reuse       up to \(row.accessControl.reuseLimit) seconds")
    }
    if row.store != .own {
      lines.append(
        "store       \(row.store.word)"
          + (row.isPlaced ? "" : ", which does not have it yet: whorld keeps it until then"))
    }
    for pair in row.attributes.pairs {
      lines.append(
        pair.name == Array("labl".utf8)
          ? "label       \(quoted(pair.value))"
          : "attribute   \(quoted(AttributeName.word(pair.name))) = \(quoted(pair.value))")
    }
    lines.append("created     \(CalendarClock.text(row.created))")
    lines.append("modified    \(CalendarClock.text(row.modified))")
    lines.append("secret      \(detail.secretCount) \(detail.secretCount == 1 ? "byte" : "bytes")")
    switch detail.binding {
    case .unbound: break
    case .live: lines.append("prints      bound to the fingerprints enrolled now")
    case .ended(let change):
      lines.append(
        "prints      " + (row.isInvalidated ? "" : "finger ") + "invalidated: \(cause(change))")
      if !row.isInvalidated {
        let rearm = Advice.command("rearm", row.identity)
        lines.append("            it still opens by password; \(rearm) binds it again")
      }
    }
    return lines.joined(separator: "\n")
  }

  /// What ended a generation, as in *left thumb enrolled on DATE*.
  static func cause(_ change: EnrollmentChange) -> String {
    let date = change.time > 0 ? " on \(CalendarClock.text(change.time))" : ""
    let finger = FingerName.text(printPath: change.path)
    return switch change.kind {
    case .unknown: "the enrolled fingerprints changed\(date)"
    case .enrolled: "\(finger) enrolled\(date)"
    case .deleted: "\(finger) deleted\(date)"
    case .reenrolled: "\(finger) enrolled again\(date)"
    case .irregular:
      "\(quoted(change.path)), which cannot be read as a fingerprint, appeared\(date)"
    case .allDeleted: "all fingerprints deleted\(date)"
    case .unavailable: "the fingerprints cannot be seen\(date)"
    }
  }
}
