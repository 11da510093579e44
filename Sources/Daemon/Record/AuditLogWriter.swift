import Linux
import Wire

/// Writes one user's record, an ``AuditLogFile`` that is whole at all times.
///
/// Room for what comes next is taken ahead, so that whoever asks first knows that the record of
/// what is about to be done can be written, on a full disk too. At 1 MiB the file becomes the older
/// one; of the one before that ``AuditArchive`` keeps what matters most.
final class AuditLogWriter {
  static let rotateAt = 1024 * 1024
  /// Bytes of room that are taken at once.
  private static let ahead = 64 * 1024

  private let path: String
  private var file: File
  /// Files that became the older one since they were last taken to be synced.
  private var retired: [File] = []
  private var size: Int
  private var room = 0
  /// Whether a part of a record may stand at the end.
  private var isTorn = false

  init(path: String) throws(SystemError) {
    self.path = path
    file = try File(appendingTo: path, mode: 0o600)
    size = try file.size
    // One that is too long to be looked at is kept as it is.
    guard size <= AuditLogFile.limit else {
      try rotate()
      return
    }
    let whole = AuditLogFile(try file.readAll(limit: AuditLogFile.limit)).wholeCount
    guard whole < size else { return }
    if size - whole <= 4 + Limits.message {
      // A crash or a full disk cut the last record short.
      size = whole
      isTorn = true
      try mend()
    } else {
      // Its end cannot be told: it is kept as it is, and another one begun.
      try rotate()
    }
  }

  /// Makes sure that records of so many bytes can be appended.
  ///
  /// - Throws: why not. Nothing was changed then.
  func makeRoom(_ count: Int) throws(SystemError) {
    try mend()
    if size >= Self.rotateAt {
      // A file that grows too long is better than none.
      try? rotate()
    }
    guard size + count > room else { return }
    do throws(SystemError) { try reserve(size + count + Self.ahead) } catch {
      try reserve(size + count)
    }
  }

  /// Appends one record, whole or not at all.
  func append(_ record: [UInt8]) throws(SystemError) {
    try makeRoom(record.count)
    isTorn = true
    do throws(SystemError) { try file.append(record) } catch {
      try? mend()
      throw error
    }
    isTorn = false
    size += record.count
  }

  /// What is to be put on the device.
  func takeUnsynced() -> [File] {
    defer { retired = [] }
    return retired + [file]
  }

  private func mend() throws(SystemError) {
    guard isTorn else { return }
    try file.truncate(to: size)
    // What was taken ahead went with the part that was cut off.
    room = 0
    isTorn = false
  }

  private func reserve(_ end: Int) throws(SystemError) {
    try file.reserve(end)
    room = end
  }

  private func rotate() throws(SystemError) {
    let (next, old) = (path + ".new", path + ".old")
    // What an interruption left; one that cannot be removed fails the next line.
    try? Folder.remove(file: next)
    let fresh = try File(appendingTo: next, mode: 0o600)
    try fresh.reserve(Self.ahead)
    AuditArchive.keep(of: path)
    try Folder.rename(path, to: old)
    do throws(SystemError) { try Folder.rename(next, to: path) } catch {
      try? Folder.rename(old, to: path)
      throw error
    }
    retired.append(file)
    (file, size, room) = (fresh, 0, Self.ahead)
  }
}
