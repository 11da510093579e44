import Foundation
import SecretMemory

@testable import Daemon

extension FuzzTarget {
  /// Rotations, damage to the key files, and what opens then.
  static let keyFiles = FuzzTarget(name: "key-files") { bytes in
    var choices = Choices(bytes)
    let scratch = try Scratch()
    let host: [UInt8]
    var shredKeys: [[UInt8]] = []
    do {
      let source = try FileKeySource(folder: scratch.path)
      host = source.hostKey.copied
      shredKeys.append(source.shredKey.copied)
      for _ in 0..<choices.number(below: 4) {
        let key = [UInt8](repeating: choices.byte(), count: 32)
        try source.rotateShredKey(to: try SecretBytes.of(key))
        shredKeys.append(key)
      }
    }
    let before = files(scratch)
    while !choices.isEmpty { try damage(scratch, &choices) }
    let damaged = files(scratch)

    let source: FileKeySource
    do { source = try FileKeySource(folder: scratch.path) } catch {
      try require(files(scratch) == damaged, "keys that do not open are left as they are")
      try require(damaged != before, "keys that were left alone open")
      return
    }
    guard damaged.contains(where: { $0 != nil }) else { return }
    if damaged == before {
      try require(source.hostKey.copied == host, "the host key stays")
      try require(source.shredKey.copied == shredKeys.last, "the last shred key stays")
    }
    if damaged[0] == before[0], damaged[1] != nil {
      // Wiped ones are gone; a record whose wiping failed may come back, but nothing else.
      try require(
        shredKeys.contains(source.shredKey.copied), "no shred key is read that was not written")
    }
    let fresh = [UInt8](repeating: 0xa5, count: 32)
    try source.rotateShredKey(to: try SecretBytes.of(fresh))
    let again = try FileKeySource(folder: scratch.path)
    try require(again.shredKey.copied == fresh, "after a rotation the new key is read")
  }

  private static let names = ["host.key", "shred.slot"]

  private static func files(_ scratch: Scratch) -> [[UInt8]?] { names.map(scratch.read) }

  private static func damage(_ scratch: Scratch, _ choices: inout Choices) throws {
    let name = names[choices.number(below: names.count)]
    var content = scratch.read(name) ?? []
    switch choices.number(below: 5) {
    case 0:
      try? FileManager.default.removeItem(atPath: "\(scratch.path)/\(name)")
      return
    case 1: content = choices.field()
    case 2: content = Array(content.prefix(Int(choices.byte())))
    case 3: content += choices.field()
    default:
      let offset = Int(choices.byte())
      for (index, byte) in choices.field().enumerated() where offset + index < content.count {
        content[offset + index] = byte
      }
    }
    try scratch.write(content, to: name)
  }
}
