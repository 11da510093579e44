import HostAuthentication
import Linux
import Wire

/// The record of what was asked and released: one append-only file for each user, which is on the
/// device within a second, and a copy in the journal.
///
/// At 1 MiB a file becomes the older one; of the one before that ``AuditArchive`` keeps what matters
/// most.
final class AuditLog {
  private static let rotateAt = 1024 * 1024
  private static let syncDelay: UInt64 = 500

  private let folder: String
  private let loop: any EventLoop
  private let journal: JournalCopies
  private var files: [UInt32: OpenFile] = [:]
  private var unsynced: Set<UInt32> = []
  /// Files that became the older one since the last sync.
  private var retired: [File] = []

  /// A file and how much of it is whole.
  private final class OpenFile {
    let file: File
    /// Nobody else writes to it.
    private(set) var size: Int

    /// Opens the file and cuts off what an interruption left of a record, which would hide all that
    /// come after it.
    init(path: String) throws(SystemError) {
      file = try File(appendingTo: path, mode: 0o600)
      let bytes = try file.readAll(limit: 2 * rotateAt)
      size = AuditLogFile(bytes).wholeCount
      if size < bytes.count { try file.truncate(to: size) }
    }

    func append(_ bytes: [UInt8]) throws(SystemError) {
      try file.append(bytes)
      size += bytes.count
    }
  }

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
      // A file that cannot be cut back now is when it is opened again.
      if let open = files[record.user], (try? open.file.truncate(to: open.size)) == nil {
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
    for path in [AuditArchive.path(of: path(user)), path(user) + ".old", path(user)] {
      guard let bytes = try? File(reading: path).readAll(limit: 2 * Self.rotateAt) else { continue }
      records += AuditLogFile(bytes).records
    }
    for index in records.indices { records[index].item = displayPrefix(records[index].item) }
    var size = 0
    let newest = records.reversed().prefix(min(limit, Limits.page)).prefix { record in
      size += record.program.count + record.item.count + 64
      return size < Limits.message - 1024
    }
    return newest.reversed()
  }

  /// Puts everything written so far on the device, off the loop's thread.
  func sync() {
    let waiting = retired + unsynced.compactMap { files[$0]?.file }
    unsynced = []
    retired = []
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
    for file in retired + unsynced.compactMap({ files[$0]?.file }) { try? file.syncData() }
    unsynced = []
    retired = []
    journal.finish()
  }

  private func file(_ user: UInt32) throws(SystemError) -> OpenFile {
    let path = path(user)
    if let open = files[user] {
      if open.size < Self.rotateAt { return open }
      AuditArchive.keep(of: path)
      try Folder.rename(path, to: path + ".old")
      retired.append(open.file)
    }
    let open = try OpenFile(path: path)
    files[user] = open
    return open
  }

  private func path(_ user: UInt32) -> String { "\(folder)/\(user).log" }
}
