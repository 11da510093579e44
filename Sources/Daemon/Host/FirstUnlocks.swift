import Linux

/// Who has logged in since boot, by a touch or the password: an empty file for each, in a folder that
/// a reboot clears, so that a restart of the daemon forgets nobody.
final class FirstUnlocks {
  private let folder: String
  private var users: Set<UInt32>

  init(folder: String) {
    self.folder = folder
    let prefix = "unlocked-"
    users = Set(
      ((try? Folder.names(folder)) ?? []).filter { $0.hasPrefix(prefix) }.compactMap {
        UInt32($0.dropFirst(prefix.count))
      })
  }

  func contains(_ user: UInt32) -> Bool { users.contains(user) }

  func add(_ user: UInt32) {
    // A file that cannot be written is forgotten at the next restart, which refuses and no more.
    if users.insert(user).inserted { SmallRecord.write([], to: "\(folder)/unlocked-\(user)") }
  }
}
