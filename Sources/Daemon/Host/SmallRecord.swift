import Linux

/// Small files of this boot, each there whole or not at all.
enum SmallRecord {
  /// - Returns: whether it was written.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String) -> Bool {
    let partial = path + ".new"
    try? Folder.remove(file: partial)
    guard let file = try? File(creating: partial, mode: 0o600),
      (try? file.write(bytes.span, at: 0)) != nil
    else { return false }
    return (try? Folder.rename(partial, to: path)) != nil
  }
}
