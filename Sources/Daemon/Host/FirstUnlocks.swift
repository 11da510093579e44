import Linux

/// Who had an unlocked session since boot: a file for each user, in a folder that a reboot clears,
/// so that a restart of the daemon forgets nobody.
final class FirstUnlocks {
  private let folder: String
  private var users: Set<UInt32>

  init(folder: String) {
    self.folder = folder
    let names = (try? Folder.names(folder)) ?? []
    users = Set(
      names.compactMap { name in
        name.hasPrefix("unlocked-") ? UInt32(name.dropFirst("unlocked-".count)) : nil
      })
  }

  func contains(_ user: UInt32) -> Bool { users.contains(user) }

  func insert(_ user: UInt32) {
    guard users.insert(user).inserted else { return }
    // A file that cannot be made is forgotten at the next restart, which refuses and no more.
    _ = try? File(creating: "\(folder)/unlocked-\(user)", mode: 0o600)
  }
}
