import Linux

/// Small files, each there whole or not at all.
enum SmallRecord {
  /// - Parameter outlivesBoot: whether a crash of the host must leave it whole, old or new. Not
  ///   needed where a boot clears the folder.
  /// - Returns: whether it was written.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String, outlivesBoot: Bool = false) -> Bool {
    let partial = path + ".new"
    try? Folder.remove(file: partial)
    do throws(SystemError) {
      let file = try File(creating: partial, mode: 0o600)
      try file.write(bytes.span, at: 0)
      if outlivesBoot { try file.sync() }
      try Folder.rename(partial, to: path)
    } catch { return false }
    return !outlivesBoot || syncFolder(of: path)
  }

  /// Makes the names beside the file outlive a crash.
  static func syncFolder(of path: String) -> Bool {
    guard let end = path.lastIndex(of: "/") else { return false }
    return (try? Folder.sync(String(path[..<end]))) != nil
  }
}
