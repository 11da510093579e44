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
  /// Files and folders in all.
  static let entryLimit = 1024
  /// Bytes in all: what takes longer to read than a person waits is no set of prints.
  private static let totalLimit = 16 * 1024 * 1024
  private static let bufferCount = 16 * 1024

  private let folder: String
  private let configuration: String

  /// What was found so far.
  private struct Walk {
    let key: SecretBytes
    /// A template passes only through memory that is locked and wiped.
    let buffer: SecretBytes
    var entries: [PrintEntry] = []
    var names = 0
    var bytes = 0
  }

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
      guard let buffer = try? SecretBytes(count: Self.bufferCount) else { throw .unavailable }
      var walk = Walk(key: contentKey, buffer: buffer)
      try read(top, below: [], depth: 0, &walk)
      return .entries(walk.entries.sorted { $0.path.lexicographicallyPrecedes($1.path) })
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
    _ folder: FolderHandle, below path: [UInt8], depth: Int, _ walk: inout Walk
  ) throws(Obstacle) {
    guard depth <= Self.depthLimit else { throw .irregular(path) }
    let rest = Self.entryLimit - walk.names
    let names = try Self.attempt(path) { () throws(SystemError) in
      try folder.names(limit: rest)
    }
    walk.names += names.count
    for name in names {
      let own = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
      switch try Self.attempt(own, { () throws(SystemError) in try folder.kind(name) }) {
      case .directory:
        let inner = try Self.attempt(own) { () throws(SystemError) in try folder.folder(name) }
        try read(inner, below: own, depth: depth + 1, &walk)
      case .regular:
        let file = try Self.attempt(own) { () throws(SystemError) in try folder.file(name) }
        walk.entries.append(try entry(file, own, &walk))
      case .other:
        throw .irregular(own)
      }
    }
  }

  private func entry(
    _ file: OwnedDescriptor, _ path: [UInt8], _ walk: inout Walk
  ) throws(Obstacle) -> PrintEntry {
    guard let before = FileFacts(descriptor: file.raw), before.kind == .regular,
      before.size <= Self.sizeLimit
    else { throw .irregular(path) }
    let buffer = walk.buffer
    var hash = KeyedHash(key: walk.key)
    let stream = BlockingStream(file.raw)
    var count = 0
    while true {
      let taken = buffer.withMutableBytes { bytes in stream.read(into: &bytes) }
      guard let taken else { throw .irregular(path) }
      if taken == 0 { break }
      count += taken
      walk.bytes += taken
      guard count <= Self.sizeLimit, walk.bytes <= Self.totalLimit else { throw .irregular(path) }
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
