import Linux
import SecretMemory
import Transfer
import WhorlClient
import Wire

/// `whorl import pass`: a password store of pass(1), decrypted by gpg.
struct PassImport {
  private let arguments: Arguments
  private let folder: [UInt8]
  private static let suffix = Array(".gpg".utf8)

  init(_ arguments: Arguments) throws(CommandError) {
    self.arguments = arguments
    if arguments.names.count > 1 {
      folder = arguments.names[1]
    } else if let store = OwnProcess.environment("PASSWORD_STORE_DIR"), !store.isEmpty {
      folder = store
    } else {
      folder = (OwnProcess.environment("HOME") ?? []) + Array("/.password-store".utf8)
    }
  }

  func run() throws(CommandError) -> Int32 {
    var names: [[UInt8]] = []
    do throws(SystemError) {
      try Self.walk(try FolderHandle(path: String(decoding: folder, as: UTF8.self)), [], &names)
    } catch { throw CommandError(reading: folder, error) }
    names.sort { $0.lexicographicallyPrecedes($1) }
    let files = try FileImport(arguments)
    if arguments.has("dry-run") {
      return try files.take(
        names.map { name in
          (PassEntry.password(of: name), { () throws(CommandError) in try SecretFile.bytes(0) })
        })
    }
    var items: [FileImport.Incoming] = []
    var failed = 0
    for name in names {
      guard let text = try decrypt(name) else {
        failed += 1
        continue
      }
      let entry = try FileImport.reading(name) { () throws(FileError) in
        try PassEntry(name: name, text: text)
      }
      items += entry.items.map { pair in (pair.item, { () throws(CommandError) in pair.secret }) }
    }
    return try files.take(items, failed: failed)
  }

  /// Names below the store, without their suffix. Links are not followed.
  private static func walk(
    _ folder: FolderHandle, _ prefix: [UInt8], _ found: inout [[UInt8]]
  ) throws(SystemError) {
    for name in try folder.names(limit: 1 << 20) where name.first != UInt8(ascii: ".") {
      switch try folder.kind(name) {
      case .regular where name.count > suffix.count && name.suffix(suffix.count) == suffix[...]:
        found.append(prefix + name.dropLast(suffix.count))
      case .directory:
        try walk(try folder.folder(name), prefix + name + [UInt8(ascii: "/")], &found)
      case .regular, .other: break
      }
    }
  }

  /// nil when gpg could not, which it has said itself.
  private func decrypt(_ name: [UInt8]) throws(CommandError) -> SecretBytes? {
    let buffer = try SecretFile.bytes(Limits.secret + 1)
    let path = folder + [UInt8(ascii: "/")] + name + Self.suffix
    let words = ["gpg", "--quiet", "--decrypt", "--"].map { Array($0.utf8) }
    do {
      let (status, count) = try buffer.withMutableBytes { bytes throws(SystemError) in
        try ChildProgram.output(of: words + [path], into: &bytes)
      }
      if status == 0 { return try SecretFile.part(of: buffer, 0..<count) }
      if status == 127 { throw CommandError(status: 1, "gpg is not installed") }
    } catch let error as SystemError {
      if error.isMissing { throw CommandError(status: 1, "gpg is not installed") }
    } catch let error as CommandError {
      throw error
    } catch {}
    Output.complain("\(quoted(name)): gpg could not decrypt it")
    return nil
  }
}
