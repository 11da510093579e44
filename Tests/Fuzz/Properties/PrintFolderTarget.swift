import Foundation
import Linux
import SecretMemory
import Vault

@testable import HostAuthentication

extension FuzzTarget {
  /// A user's name, then the entries of a folder of prints.
  static let printFolder = FuzzTarget(name: "print-folder") { bytes in
    var choices = Choices(bytes)
    let scratch = try Scratch()
    let name = choices.field(limit: 16)
    try FileManager.default.createDirectory(
      atPath: scratch.path + "/prints/user", withIntermediateDirectories: true)
    // What nobody's name may lead to.
    try scratch.write([1], to: "secret")
    var made = MadeEntries()
    while !choices.isEmpty { made.make(in: scratch.path + "/prints/user", &choices) }
    let isIrregular = made.isIrregular || made.count > PrintFolder.entryLimit

    let folder = PrintFolder(folder: scratch.path + "/prints", configuration: "/nonexistent")
    let key = try SecretBytes(count: 32)
    let own = folder.entries(of: Owner(user: 1, name: Array("user".utf8)), contentKey: key)
    switch own {
    case .unavailable: throw Violation("a folder that is there can be read")
    case .irregular: try require(isIrregular, "only an irregular entry is one")
    case .entries(let entries):
      try require(!isIrregular, "an irregular entry is told")
      try require(Set(entries.map(\.path)) == made.files, "every file is an entry")
      try require(entries.count == made.files.count, "every file is one entry")
    }
    let shown = folder.files(of: Array("user".utf8))
    try require(
      shown.count <= 64 && shown.allSatisfy { made.files.contains($0.path) },
      "only files are shown to people")

    if name != Array("user".utf8) {
      let other = folder.entries(of: Owner(user: 2, name: name), contentKey: key)
      try require(
        other == .entries([]) || other == .unavailable || other == .irregular(path: []),
        "no name leads to another folder")
    }
  }
}

/// What was put into the folder, as the kernel took it.
private struct MadeEntries {
  private(set) var files: Set<[UInt8]> = []
  private(set) var isIrregular = false
  private var folders: [String] = [""]

  var count: Int { files.count + folders.count - 1 }

  mutating func make(in top: String, _ choices: inout Choices) {
    let parent = folders[choices.number(below: folders.count)]
    let name = String(
      decoding: choices.field(limit: 8).filter { $0 != 0 && $0 != UInt8(ascii: "/") },
      as: UTF8.self)
    let path = parent.isEmpty ? name : parent + "/" + name
    let whole = top + "/" + path
    switch choices.number(below: 6) {
    case 0:
      guard mkdir(whole, 0o700) == 0 else { return }
      folders.append(path)
      // Deeper than prints are, and than anyone looks.
      if path.utf8.count(where: { $0 == UInt8(ascii: "/") }) >= 8 { isIrregular = true }
    case 1: if symlink("/etc/passwd", whole) == 0 { isIrregular = true }
    case 2: if mkfifo(whole, 0o600) == 0 { isIrregular = true }
    default:
      guard let file = try? File(creating: whole, mode: 0o600) else { return }
      files.insert(Array(path.utf8))
      let content = choices.field(limit: 16)
      guard (try? file.write(content.span, at: 0)) != nil else { return }
      setTime(file, Int(bitPattern: UInt(choices.uint64())) >> Int(choices.byte() % 64))
    }
  }

  /// Times that no print has are irregular.
  private mutating func setTime(_ file: File, _ seconds: Int) {
    var times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    guard futimens(file.descriptor.raw, &times) == 0 else { return }
    var status = stat()
    guard fstat(file.descriptor.raw, &status) == 0 else { return }
    let latest = Int64.max / 1_000_000_000
    if !(0...Int(latest)).contains(status.st_mtim.tv_sec) { isIrregular = true }
  }
}
