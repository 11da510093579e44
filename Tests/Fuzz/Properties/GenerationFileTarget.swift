import Foundation
import Vault

@testable import Daemon

extension FuzzTarget {
  /// An owner's name, a folder's name, and the content of a generation file.
  static let generationFile = FuzzTarget(name: "generation-file") { bytes in
    var choices = Choices(bytes)
    let scratch = try Scratch()
    let runtime = "\(scratch.path)/runtime"
    try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: false)
    let storage = try FileVaultStorage(folder: scratch.path, runtime: runtime, quota: 1 << 20)
    let owner = Owner(user: UInt32(choices.byte()), name: choices.field(limit: 32))
    let folder = choices.field(limit: 32).filter { $0 != 0 && $0 != UInt8(ascii: "/") }
    let content = choices.rest()
    try checkFolder(String(decoding: folder, as: UTF8.self), storage, scratch)
    try checkFile(content, of: owner, storage, scratch)
  }

  /// Whose folder it is by its name, is who finds their file in it.
  private static func checkFolder(
    _ name: String, _ storage: FileVaultStorage, _ scratch: Scratch
  ) throws {
    guard ![".", "..", ""].contains(name) else { return }
    try FileManager.default.createDirectory(
      atPath: "\(scratch.path)/users/\(name)", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: "\(scratch.path)/users/\(name)") }
    let slots = [UInt8](repeating: 0, count: 1024)
    try scratch.write(slots, to: "users/\(name)/generation")
    for owner in try storage.generationOwners() {
      try require(
        "\(owner.user)-\(String(decoding: owner.name, as: UTF8.self))" == name,
        "an owner's folder has one name")
      // What fails here would keep every owner's generation from ending.
      do { try storage.setGenerationSlot(of: owner, 0, [1]) } catch {
        throw Violation("every owner found can be written: \(error)")
      }
    }
  }

  private static func checkFile(
    _ content: [UInt8], of owner: Owner, _ storage: FileVaultStorage, _ scratch: Scratch
  ) throws {
    let name = String(decoding: owner.name, as: UTF8.self)
    guard (try? storage.generationSlots(of: owner)) != nil else {
      try require(
        try storage.generationOwners().isEmpty && !FileVaultStorage.isPlain(owner.name),
        "a name that is refused leaves nothing")
      return
    }
    let file = "users/\(owner.user)-\(name)/generation"
    try scratch.write(content, to: file)
    let slots = try storage.generationSlots(of: owner)
    try require(scratch.read(file) == content, "reading leaves a file as it is")
    try require(slots.count == (content.count == 1024 ? 2 : 0), "a whole file has slots")
    for (index, slot) in slots.enumerated() {
      let bytes = content[(512 * index)...].prefix(512)
      let count = Int(bytes[512 * index]) << 8 | Int(bytes[512 * index + 1])
      try require(slot == Array(bytes.dropFirst(2).prefix(count)), "a slot is what its length says")
    }
    try storage.setGenerationSlot(of: owner, 1, [1, 2, 3])
    try require(
      try storage.generationSlots(of: owner) == [slots.first ?? [], [1, 2, 3]],
      "writing one slot leaves the other")
    try checkEnd(of: owner, slots.first ?? [], file, storage, scratch)
  }

  /// A file that could not be removed is there again.
  private static func checkEnd(
    of owner: Owner, _ other: [UInt8], _ file: String, _ storage: FileVaultStorage,
    _ scratch: Scratch
  ) throws {
    guard let kept = scratch.read(file) else { throw Violation("a slot is in its file") }
    try storage.dropGeneration(of: owner, slot: 1)
    try require(try storage.generationSlots(of: owner).isEmpty, "a dropped generation is gone")
    try scratch.write(kept, to: file)
    let isSame = kept[..<512].elementsEqual(kept[512...])
    try require(
      try storage.generationSlots(of: owner) == [isSame ? [] : other, []],
      "what ended does not come back before the next boot")
  }
}
