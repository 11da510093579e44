import HostAuthentication
import Linux
import Wire

/// The record of what was asked and released: one append-only file for each user, which is on the
/// device within a second, and a copy in the journal.
///
/// At 1 MiB a file becomes the older one, and the one before that goes.
final class AuditLog {
  private static let rotateAt = 1024 * 1024
  private static let syncDelay: UInt64 = 500

  private let folder: String
  private let loop: any EventLoop
  private let journal: JournalCopies
  private var files: [UInt32: File] = [:]
  private var unsynced: Set<UInt32> = []

  init(folder: String, loop: any EventLoop) throws(SystemError) {
    self.folder = folder
    self.loop = loop
    journal = JournalCopies(loop: loop)
    try Folder.makePrivate(folder)
  }

  /// Writes one record.
  ///
  /// - Returns: false when it could not be written; then nothing may be released.
  func append(_ record: AuditRecord) -> Bool {
    do throws(SystemError) {
      try file(record.user).append(AuditLogFile.entry(record))
    } catch {
      if let file = files[record.user], (try? Self.mend(file)) == nil {
        files[record.user] = nil
      }
      return false
    }
    if unsynced.isEmpty {
      loop.after(milliseconds: Self.syncDelay) { [weak self] in self?.sync() }
    }
    unsynced.insert(record.user)
    journal.add(record)
    return true
  }

  /// The newest records, oldest of them first.
  func records(of user: UInt32, limit: Int) -> [AuditRecord] {
    var records: [AuditRecord] = []
    for path in [path(user) + ".old", path(user)] {
      guard let bytes = try? File(reading: path).readAll(limit: 2 * Self.rotateAt) else { continue }
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
    let waiting = unsynced.compactMap { files[$0] }
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

  /// The end: what waits is on the device and in the journal when this returns.
  func finish() {
    for user in unsynced { try? files[user]?.syncData() }
    unsynced = []
    journal.finish()
  }

  private func file(_ user: UInt32) throws(SystemError) -> File {
    if let file = files[user], try file.size < Self.rotateAt { return file }
    let path = path(user)
    if let file = files[user] {
      try file.syncData()
      try Folder.rename(path, to: path + ".old")
    }
    let file = try File(appendingTo: path, mode: 0o600)
    try Self.mend(file)
    files[user] = file
    return file
  }

  /// Cuts off what an interruption left of a record, which would hide all that come after it.
  private static func mend(_ file: File) throws(SystemError) {
    let bytes = try file.readAll(limit: 2 * rotateAt)
    let count = AuditLogFile(bytes).wholeCount
    if count < bytes.count { try file.truncate(to: count) }
  }

  private func path(_ user: UInt32) -> String { "\(folder)/\(user).log" }
}
