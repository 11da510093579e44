import Linux
import Vault

/// The engine's storage below one root-only folder: `users/UID-NAME/` holds `items.db`,
/// `user.key` and `generation`.
///
/// A generation file that must go and cannot be removed is named dead in a folder of this boot, on
/// another file system: the slot that `ended-UID-NAME` there is equal to is not given.
public final class FileVaultStorage: VaultStorage {
  /// Room for one slot: its sealed content is shorter, and the rest is zeros.
  private static let slotCount = 512

  private let folder: String
  private let runtime: String
  private let quota: Int64
  private var stores: [Owner: SQLiteItemStore] = [:]

  /// - Parameters:
  ///   - runtime: a folder that is there until the next boot.
  ///   - quota: bytes for each owner.
  public init(folder: String, runtime: String, quota: Int64) throws(StorageError) {
    self.folder = folder + "/users"
    self.runtime = runtime
    self.quota = quota
    try StorageError.mapping { () throws(SystemError) in
      try Folder.makePrivate(self.folder)
      try Folder.sync(folder)
    }
  }

  public func items(of owner: Owner) throws(StorageError) -> any ItemStore {
    if let store = stores[owner] { return store }
    let store = try SQLiteItemStore(path: try path(of: owner) + "/items.db", quota: quota)
    stores[owner] = store
    return store
  }

  public func userKey(of owner: Owner) throws(StorageError) -> [UInt8]? {
    try content(try path(of: owner) + "/user.key", limit: 1024)
  }

  public func setUserKey(of owner: Owner, _ sealed: [UInt8]) throws(StorageError) {
    try create("user.key", of: owner, sealed)
  }

  /// Everyone who has stored something.
  public func owners() throws(StorageError) -> [Owner] {
    try StorageError.mapping { () throws(SystemError) in try Folder.names(folder) }.compactMap {
      Self.owner($0)
    }
  }

  public func generationOwners() throws(StorageError) -> [Owner] {
    let names = try StorageError.mapping { () throws(SystemError) in try Folder.names(folder) }
    var owners: [Owner] = []
    for name in names {
      guard let owner = Self.owner(name) else { continue }
      do { _ = try File(reading: "\(folder)/\(name)/generation") } catch {
        // Any other reason is none to take the owner for one without a generation, which would end.
        guard error.isMissing || error.isWrongKind else { throw StorageError(error) }
        continue
      }
      owners.append(owner)
    }
    return owners
  }

  public func generationSlots(of owner: Owner) throws(StorageError) -> [[UInt8]] {
    let path = try path(of: owner) + "/generation"
    let size = 2 * Self.slotCount
    var bytes: [UInt8] = []
    do throws(SystemError) {
      let file = try File(reading: path)
      // Of a file of another length no slot opens: that ends its owner's generation, and nobody
      // else's.
      guard try file.size == size else { return [] }
      bytes = try file.readAll(limit: size)
    } catch {
      guard error.isMissing else { throw StorageError(error) }
    }
    guard bytes.count == size else { return [] }
    let ended = try content(try endedPath(owner), limit: Self.slotCount)
    return [bytes[..<Self.slotCount], bytes[Self.slotCount...]].map { slot in
      if let ended, slot.elementsEqual(ended) { return [] }
      let count = Int(slot[slot.startIndex]) << 8 | Int(slot[slot.startIndex + 1])
      return Array(slot.dropFirst(2).prefix(count))
    }
  }

  public func dropGeneration(of owner: Owner, slot index: Int) throws(StorageError) {
    let folder = try location(owner)
    let isNamed = (try? nameEnded(owner, index)) != nil
    do throws(SystemError) {
      do throws(SystemError) { try Folder.remove(file: folder + "/generation") } catch {
        guard error.isMissing else { throw error }
      }
      try Folder.sync(folder)
    } catch {
      guard isNamed else { throw StorageError(error) }
      ServiceNote.write("a generation cannot be removed, and is dead until the next boot: \(error)")
    }
  }

  private func nameEnded(_ owner: Owner, _ index: Int) throws(StorageError) {
    let path = try endedPath(owner)
    guard
      let bytes = try content(
        try location(owner) + "/generation", limit: 2 * Self.slotCount),
      bytes.count == 2 * Self.slotCount
    else { throw .corrupted }
    let slot = Array(bytes[(index * Self.slotCount)...].prefix(Self.slotCount))
    try StorageError.mapping { () throws(SystemError) in
      // What an earlier one left; a file that cannot be removed fails the next line.
      try? Folder.remove(file: path + ".new")
      let file = try File(creating: path + ".new", mode: 0o600)
      try file.write(slot.span, at: 0)
      try Folder.rename(path + ".new", to: path)
    }
  }

  /// The whole file; nil when there is none.
  private func content(_ path: String, limit: Int) throws(StorageError) -> [UInt8]? {
    do { return try File(reading: path).readAll(limit: limit) } catch  where error.isMissing {
      return nil
    } catch { throw StorageError(error) }
  }

  public func setGenerationSlot(
    of owner: Owner, _ index: Int, _ sealed: [UInt8]
  ) throws(StorageError) {
    precondition(sealed.count <= Self.slotCount - 2)
    let path = try path(of: owner) + "/generation"
    let slot = [UInt8(sealed.count >> 8), UInt8(sealed.count & 0xff)] + sealed
    let padded = slot + [UInt8](repeating: 0, count: Self.slotCount - slot.count)
    let file: File?
    do throws(SystemError) {
      let found = try File(reading: path, writing: true)
      file = try found.size == 2 * Self.slotCount ? found : nil
    } catch {
      guard error.isMissing else { throw StorageError(error) }
      file = nil
    }
    guard let file else {
      let empty = [UInt8](repeating: 0, count: index * Self.slotCount)
      let rest = [UInt8](repeating: 0, count: (1 - index) * Self.slotCount)
      return try create("generation", of: owner, empty + padded + rest)
    }
    try StorageError.mapping { () throws(SystemError) in
      try file.write(padded.span, at: index * Self.slotCount)
      try file.sync()
    }
  }

  public func purge(_ owner: Owner) throws(StorageError) {
    let path = try location(owner)
    // Closes the database, unless a request still reads it.
    stores[owner] = nil
    try StorageError.mapping { () throws(SystemError) in
      let names: [String]
      do throws(SystemError) { names = try Folder.names(path) } catch {
        guard error.isMissing else { throw error }
        return
      }
      let key = "user.key"
      for name in names.filter({ $0 == key }) + names.filter({ $0 != key }) {
        try Folder.remove(file: "\(path)/\(name)")
        if name == key { try Folder.sync(path) }
      }
      try Folder.remove(folder: path)
      try Folder.sync(folder)
    }
  }

  /// Writes a file that is there whole or not at all, with all its space taken.
  private func create(
    _ name: String, of owner: Owner, _ bytes: [UInt8]
  ) throws(StorageError) {
    let folder = try path(of: owner)
    try StorageError.mapping { () throws(SystemError) in
      let partial = "\(folder)/\(name).new"
      // What an interruption left; a file that cannot be removed fails the next line.
      try? Folder.remove(file: partial)
      let file = try File(creating: partial, mode: 0o600)
      try file.allocate(bytes.count)
      try file.write(bytes.span, at: 0)
      try file.sync()
      try Folder.rename(partial, to: "\(folder)/\(name)")
      try Folder.sync(folder)
    }
  }

  private func endedPath(_ owner: Owner) throws(StorageError) -> String {
    "\(runtime)/ended-\(try fileName(owner))"
  }

  private func fileName(_ owner: Owner) throws(StorageError) -> String {
    guard let name = String(validating: owner.name, as: UTF8.self), Self.isPlain(owner.name) else {
      throw .failed
    }
    return "\(owner.user)-\(name)"
  }

  private func location(_ owner: Owner) throws(StorageError) -> String {
    "\(folder)/\(try fileName(owner))"
  }

  /// The owner's folder, made if there is none.
  private func path(of owner: Owner) throws(StorageError) -> String {
    let path = try location(owner)
    if stores[owner] != nil { return path }
    try StorageError.mapping { () throws(SystemError) in
      try Folder.makePrivate(path)
      try Folder.sync(folder)
    }
    return path
  }

  /// Whether a name can be part of a path: account names are letters, digits and `._-@+$`, and do
  /// not begin with a dot.
  static func isPlain(_ name: [UInt8]) -> Bool {
    guard let first = name.first, first != UInt8(ascii: "."), name.count <= 200 else {
      return false
    }
    return name.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: Array("._-@+$".utf8).contains(byte)
      }
    }
  }

  /// Whose folder it is; nil for one that ``path(of:)`` names for nobody.
  private static func owner(_ folderName: String) -> Owner? {
    let bytes = Array(folderName.utf8)
    guard let dash = bytes.firstIndex(of: UInt8(ascii: "-")),
      let user = UInt32(String(decoding: bytes[..<dash], as: UTF8.self))
    else { return nil }
    let owner = Owner(user: user, name: Array(bytes[(dash + 1)...]))
    guard isPlain(owner.name), Array("\(user)-".utf8) + owner.name == bytes else { return nil }
    return owner
  }
}
