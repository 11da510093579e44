import HostAuthentication
import Linux
import Systemd
import Wire

/// The record of what was asked and released: one append-only ``AuditLogWriter`` for each user, which is
/// on the device within a second, and a copy in the journal.
final class AuditLog {
  private static let syncDelay: UInt64 = 500
  /// The journal's name for this kind of record; `journalctl MESSAGE_ID=…` finds all of them.
  private static let messageID = "5f6b0c6ee7f94d2f9d1d8b8a7c7c1d52"

  private let folder: String
  private let loop: any EventLoop
  private var files: [UInt32: AuditLogWriter] = [:]
  private var unsynced: Set<UInt32> = []

  init(folder: String, loop: any EventLoop) throws(SystemError) {
    self.folder = folder
    self.loop = loop
    try Folder.makePrivate(folder)
  }

  /// Makes sure that all these can be written, so that what they tell of may be done.
  ///
  /// - Throws: why not. Nothing was changed then.
  func makeRoom(for records: [AuditRecord]) throws(SystemError) {
    guard let user = records.first?.user else { return }
    let count = records.reduce(0) { $0 + AuditLogFile.entry($1).count }
    try file(user).makeRoom(count)
  }

  /// Writes one record.
  ///
  /// - Returns: false when it could not be written; then nothing may be released.
  func append(_ record: AuditRecord) -> Bool {
    do throws(SystemError) {
      try file(record.user).append(AuditLogFile.entry(record))
    } catch { return false }
    if unsynced.isEmpty {
      loop.after(milliseconds: Self.syncDelay) { [weak self] in self?.sync() }
    }
    unsynced.insert(record.user)
    _ = Journal.send(Self.fields(record))
    return true
  }

  /// The newest records, oldest of them first.
  func records(of user: UInt32, limit: Int) -> [AuditRecord] {
    var records: [AuditRecord] = []
    for path in [path(user) + ".old", path(user)] {
      guard let bytes = try? File(reading: path).readAll(limit: 8 * AuditLogWriter.rotateAt) else {
        continue
      }
      records += AuditLogFile(bytes).records
    }
    var size = 0
    let newest = records.reversed().prefix(min(limit, Limits.page)).prefix { record in
      size += record.program.count + record.item.count + 64
      return size < Limits.message - 1024
    }
    return newest.reversed()
  }

  /// Puts everything written so far on the device, off the loop's thread.
  func sync() {
    let waiting = unsynced.compactMap { files[$0]?.file }
    unsynced = []
    guard !waiting.isEmpty else { return }
    do {
      try DetachedThread.run {
        for file in waiting { try? file.syncData() }
      }
    } catch {
      for file in waiting { try? file.syncData() }
    }
  }

  private func file(_ user: UInt32) throws(SystemError) -> AuditLogWriter {
    if let file = files[user] { return file }
    let file = try AuditLogWriter(path: path(user))
    files[user] = file
    return file
  }

  private func path(_ user: UInt32) -> String { "\(folder)/\(user).log" }

  private static func fields(_ record: AuditRecord) -> [(name: String, value: String)] {
    let outcome = record.failure.map { "\($0)" } ?? "success"
    let item = displayText(record.item)
    let program = displayText(record.program)
    return [
      ("MESSAGE", "\(record.action) \(item) by \(program): \(outcome)"),
      ("MESSAGE_ID", messageID), ("PRIORITY", record.failure == nil ? "6" : "5"),
      ("SYSLOG_IDENTIFIER", "whorld"), ("WHORL_ACTION", "\(record.action)"),
      ("WHORL_ITEM", item), ("WHORL_PROGRAM", program), ("WHORL_OUTCOME", outcome),
      ("WHORL_FACTORS", record.factors.map { "\($0)" }.joined(separator: " ")),
      ("OBJECT_PID", "\(record.process)"), ("OBJECT_UID", "\(record.user)"),
    ]
  }
}
