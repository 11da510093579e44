import Linux
import Vault

/// The folders that the daemon keeps its files in, at its start.
enum StateFolder {
  /// Takes a folder for this process alone, and refuses one that is not: what a stranger could
  /// write or read there must not be relied on, and two daemons would undo each other's work.
  static func take(_ path: String) throws(Daemon.StartError) -> FolderLock {
    do {
      try Folder.make(path)
      try PrivateTree.check(path)
      return try FolderLock(path)
    } catch let flaw as PrivateTree.Flaw {
      throw Daemon.StartError(
        text: "\(flaw.path) \(flaw.text): it must be root's, without links, for nobody else")
    } catch let error as SystemError {
      let text = error.isTaken ? "another whorld uses it" : "\(error)"
      throw Daemon.StartError(text: "\(path): \(text)")
    } catch {
      throw Daemon.StartError(text: "\(path): \(error)")
    }
  }

  /// Opens what the engine keeps there.
  static func open(
    _ configuration: Configuration
  ) throws(Daemon.StartError) -> (FileVaultStorage, FileKeySource) {
    do throws(StorageError) {
      return (
        try FileVaultStorage(
          folder: configuration.state, runtime: configuration.runtime, quota: configuration.quota),
        try FileKeySource(folder: configuration.state)
      )
    } catch {
      throw Daemon.StartError(text: "\(configuration.state): \(text(error))")
    }
  }

  private static func text(_ error: StorageError) -> String {
    switch error {
    case .full, .quota: "there is no space left"
    case .readOnly: "the file system is read-only"
    case .corrupted: "host.key or shred.slot is damaged: restore both from one backup"
    case .busy: "no descriptor is left"
    case .laterFormat: "it was written by a later version"
    case .failed, .duplicate: "a file cannot be read or written"
    }
  }
}
