import AccessControl
import Linux
import Wire

/// What is kept of a user's record when it grows old: that something was released by an act of a
/// person, and that a generation ended. Refusals, and reads of what is open to every program of
/// the user, can be made by the thousand; they push nothing of this out.
enum AuditArchive {
  /// Bytes, of the newest.
  private static let limit = 512 * 1024

  static func path(of file: String) -> String { file + ".acts" }

  /// Takes what is to be kept out of the older file, which the newer one is about to replace. What
  /// cannot be kept is no reason to refuse a request.
  static func keep(of file: String) {
    let acts = records(file + ".old").filter(isAct)
    let archive = path(of: file)
    let before = records(archive)
    // They are there already when this was interrupted before the older file was replaced.
    guard !acts.isEmpty, Array(before.suffix(acts.count)) != acts else { return }
    var entries = (before + acts).map(AuditLogFile.entry)[...]
    var size = entries.reduce(0) { $0 + $1.count }
    while size > limit, let oldest = entries.popFirst() { size -= oldest.count }
    let bytes = Array(entries.joined())
    let partial = archive + ".new"
    try? Folder.remove(file: partial)
    do {
      let new = try File(creating: partial, mode: 0o600)
      try new.write(bytes.span, at: 0)
      try new.syncData()
      try Folder.rename(partial, to: archive)
    } catch { try? Folder.remove(file: partial) }
  }

  private static func isAct(_ record: AuditRecord) -> Bool {
    record.failure == nil && (!record.factors.isEmpty || record.action == .generationEnded)
  }

  private static func records(_ path: String) -> [AuditRecord] {
    guard let bytes = try? File(reading: path).readAll(limit: AuditLogFile.limit) else { return [] }
    return AuditLogFile(bytes).records
  }
}
