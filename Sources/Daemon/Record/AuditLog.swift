import HostAuthentication
import Linux
import Synchronization
import Wire

/// The record of what was asked and released: one ``AuditLogWriter`` for each user, whose file is on
/// the device within a second, and a copy in the journal.
final class AuditLog {
  private static let syncDelay: UInt64 = 500

  private let folder: String
  private let loop: any EventLoop
  private let journal: JournalCopies
  private var files: [UInt32: AuditLogWriter] = [:]
  private var unsynced: Set<UInt32> = []

  init(folder: String, loop: any EventLoop) throws(SystemError) {
    self.folder = folder
    self.loop = loop
    journal = JournalCopies(loop: loop)
    try Folder.makePrivate(folder)
  }

  /// Makes sure that so many bytes of records can be written, so that what they tell of may be done.
  ///
  /// - Throws: why not. Nothing was changed then.
  func makeRoom(_ count: Int, for user: UInt32) throws(SystemError) {
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
    journal.add(record)
    return true
  }

  /// The newest records, oldest of them first.
  ///
  /// - Parameter skipped: how many of the very newest are left out.
  func records(of user: UInt32, limit: Int, skipping skipped: Int = 0) -> [AuditRecord] {
    var records: [AuditRecord] = []
    for path in [AuditArchive.path(of: path(user)), path(user) + ".old", path(user)] {
      guard let bytes = try? File(reading: path).readAll(limit: AuditLogFile.limit) else {
        continue
      }
      records += AuditLogFile(bytes).records
    }
    for index in records.indices { records[index].item = displayPrefix(records[index].item) }
    var size = 0
    let newest = records.reversed().dropFirst(skipped).prefix(min(limit, Limits.page)).prefix {
      record in
      size += AuditLogFile.room(for: record)
      return size < Limits.message - 1024
    }
    return newest.reversed()
  }

  /// Puts everything written so far on the device, off the loop's thread.
  func sync() {
    let waiting = takeUnsynced()
    guard !waiting.isEmpty else { return }
    do {
      try DetachedThread.run {
        for file in waiting { try? file.syncData() }
      }
    } catch {
      for file in waiting { try? file.syncData() }
    }
  }

  /// The end: what waits is on the device and in the journal when this returns, unless that takes
  /// longer than a stop may. What was written is the kernel's by then, and outlives this process.
  ///
  /// - Parameter limit: milliseconds.
  func finish(limit: Int64 = 3000) {
    let files = takeUnsynced()
    let copies = journal.take()
    let isDone = Flag()
    let work: @Sendable () -> Void = {
      for file in files { try? file.syncData() }
      copies.send()
      isDone.value.store(true, ordering: .releasing)
    }
    // Without a thread there is nothing to wait with.
    do { try DetachedThread.run(work) } catch { return work() }
    let deadline = SteadyClock.milliseconds() + limit
    while !isDone.value.load(ordering: .acquiring), SteadyClock.milliseconds() < deadline {
      _ = Readiness.wait([], milliseconds: 2)
    }
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  private func takeUnsynced() -> [File] {
    let waiting = unsynced.flatMap { files[$0]?.takeUnsynced() ?? [] }
    unsynced = []
    return waiting
  }

  private func file(_ user: UInt32) throws(SystemError) -> AuditLogWriter {
    if let file = files[user] { return file }
    let file = try AuditLogWriter(path: path(user))
    files[user] = file
    return file
  }

  private func path(_ user: UInt32) -> String { "\(folder)/\(user).log" }
}
