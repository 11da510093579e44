import Linux
import SecretMemory

/// One print file, for those who tell people what is enrolled.
public struct PrintFile {
  /// Below the user's folder.
  public let path: [UInt8]
  /// Seconds since 1970.
  public let written: UInt64
  public let content: SecretBytes
}

extension PrintFolder {
  /// The user's print files, at most 64 of at most 64 KiB each; what cannot be read is left out.
  public func files(of name: [UInt8]) -> [PrintFile] {
    var files: [PrintFile] = []
    if let top = try? top(name) { collect(top, below: [], depth: 0, &files) }
    return files.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  private func collect(
    _ folder: FolderHandle, below path: [UInt8], depth: Int, _ files: inout [PrintFile]
  ) {
    guard depth <= 8 else { return }
    for name in (try? folder.names(limit: 1024)) ?? [] where files.count < 64 {
      let own = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
      switch try? folder.kind(name) {
      case .directory:
        if let inner = try? folder.folder(name) {
          collect(inner, below: own, depth: depth + 1, &files)
        }
      case .regular:
        guard let descriptor = try? folder.file(name),
          let facts = FileFacts(descriptor: descriptor.raw), facts.size <= 64 * 1024,
          let content = try? SecretBytes(count: Int(facts.size)),
          content.withMutableBytes({ BlockingStream(descriptor.raw).fill(&$0) })
        else { continue }
        files.append(
          PrintFile(
            path: own, written: UInt64(max(0, facts.modified)) / 1_000_000_000, content: content))
      case .other, nil: continue
      }
    }
  }
}
