import Crypto
import Linux
import SecretMemory
import Vault

/// The prints that fprintd keeps in files: `<folder>/<user>/<driver>/<device>/<finger>`.
///
/// Every entry below the user's folder counts, print or not. Nothing is parsed and no content is
/// kept.
public final class PrintFolder: EnrollmentSource {
  static let sizeLimit = 1024 * 1024
  private static let depthLimit = 8
  private static let entryLimit = 1024
  private static let bufferCount = 16 * 1024

  private let folder: String
  private let configuration: String

  enum Obstacle: Error {
    case irregular([UInt8])
    case unavailable
  }

  /// - Parameters:
  ///   - folder: fprintd's state folder, for example `/var/lib/fprint`.
  ///   - configuration: fprintd's own configuration, which may name another storage than files.
  public init(folder: String, configuration: String = "/etc/fprintd.conf") {
    self.folder = folder
    self.configuration = configuration
  }

  public func entries(of owner: Owner, contentKey: SecretBytes) -> EnrolledPrints {
    guard FprintdConfiguration.keepsFiles(configuration) else { return .unavailable }
    do throws(Obstacle) {
      guard let top = try top(owner.name) else { return .entries([]) }
      var entries: [PrintEntry] = []
      // A template passes only through memory that is locked and wiped.
      guard let buffer = try? SecretBytes(count: Self.bufferCount) else { throw .unavailable }
      try read(top, below: [], depth: 0, contentKey, buffer, &entries)
      return .entries(entries.sorted { $0.path.lexicographicallyPrecedes($1.path) })
    } catch {
      switch error {
      case .irregular(let path): return .irregular(path: path)
      case .unavailable: return .unavailable
      }
    }
  }

  /// The user's folder, or `nil` when nothing was ever enrolled.
  func top(_ name: [UInt8]) throws(Obstacle) -> FolderHandle? {
    do throws(SystemError) {
      return try FolderHandle(path: folder).folder(name)
    } catch {
      if error.isMissing { return nil }
      throw error.isWrongKind ? .irregular([]) : .unavailable
    }
  }

  private func read(
    _ folder: FolderHandle, below path: [UInt8], depth: Int, _ key: SecretBytes,
    _ buffer: SecretBytes, _ entries: inout [PrintEntry]
  ) throws(Obstacle) {
    guard depth <= Self.depthLimit else { throw .irregular(path) }
    for name in try Self.attempt(path, folder.names) {
      let own = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
      guard entries.count < Self.entryLimit else { throw .irregular(own) }
      switch try Self.attempt(own, { () throws(SystemError) in try folder.kind(name) }) {
      case .directory:
        let inner = try Self.attempt(own) { () throws(SystemError) in try folder.folder(name) }
        try read(inner, below: own, depth: depth + 1, key, buffer, &entries)
      case .regular:
        let file = try Self.attempt(own) { () throws(SystemError) in try folder.file(name) }
        entries.append(try entry(file, own, key, buffer))
      case .other:
        throw .irregular(own)
      }
    }
  }

  private func entry(
    _ file: OwnedDescriptor, _ path: [UInt8], _ key: SecretBytes, _ buffer: SecretBytes
  ) throws(Obstacle) -> PrintEntry {
    guard let before = FileFacts(descriptor: file.raw), before.kind == .regular,
      before.size <= Self.sizeLimit
    else { throw .irregular(path) }
    var hash = KeyedHash(key: key)
    let stream = BlockingStream(file.raw)
    var count = 0
    while true {
      let taken = buffer.withMutableBytes { bytes in stream.read(into: &bytes) }
      guard let taken else { throw .irregular(path) }
      if taken == 0 { break }
      count += taken
      guard count <= Self.sizeLimit else { throw .irregular(path) }
      buffer.withBytes { hash.update($0.extracting(first: taken)) }
    }
    // A file that changes while it is read is not the one that was asked about.
    guard FileFacts(descriptor: file.raw) == before, count == before.size,
      // Times that cannot be told apart.
      before.modified >= 0, before.modified < Int64.max
    else { throw .irregular(path) }
    return PrintEntry(
      path: path, modified: UInt64(before.modified), contentHash: hash.finish())
  }

  /// What vanishes or cannot be opened while we look counts as a change.
  private static func attempt<Value>(
    _ path: [UInt8], _ body: () throws(SystemError) -> Value
  ) throws(Obstacle) -> Value {
    do throws(SystemError) { return try body() } catch {
      // Want of descriptors or memory says nothing about the prints, and must end no generation.
      throw error.isExhaustion ? .unavailable : .irregular(path)
    }
  }
}
