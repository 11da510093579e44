import Daemon
import Foundation
import Glibc
import TemporaryFolder
import TestHost
import Testing
import Vault

struct FileVaultStorageTests {
  private let folder: TemporaryFolder
  private let alice = Owner(user: 1000, name: Array("alice".utf8))
  private let bob = Owner(user: 1001, name: Array("bob".utf8))

  init() throws {
    folder = try TemporaryFolder()
    for name in ["state", "runtime"] {
      try FileManager.default.createDirectory(
        atPath: folder(name), withIntermediateDirectories: false)
    }
  }

  private func open() throws -> FileVaultStorage {
    try FileVaultStorage(folder: folder("state"), runtime: folder("runtime"), quota: 1 << 20)
  }

  @Test func `tiny items fill a quota by their number`() throws {
    func items() throws -> any ItemStore {
      try FileVaultStorage(folder: folder("state"), runtime: folder("runtime"), quota: 3000)
        .items(of: alice)
    }
    let store = try items()
    for name in 1...2 as ClosedRange<UInt8> { try store.insert([name], sealed: [0]) }
    for store in [store, try items()] {
      #expect(throws: StorageError.quota) { try store.insert([3], sealed: [0]) }
      // As large as it counted before.
      try store.replace(row: 1, identity: [1], sealed: [UInt8](repeating: 0, count: 1000))
      #expect(throws: StorageError.quota) {
        try store.replace(row: 1, identity: [1], sealed: [UInt8](repeating: 0, count: 2000))
      }
    }
    #expect(try store.delete([2]))
    try store.insert([3], sealed: [0])
  }

  @Test func `slots are what was put in, for each owner, also when opened again`() throws {
    let storage = try open()
    #expect(try storage.generationSlots(of: alice) == [])
    try storage.setGenerationSlot(of: alice, 0, [1, 2])
    try storage.setGenerationSlot(of: alice, 1, [])
    try storage.setGenerationSlot(of: bob, 1, [3])
    for storage in [storage, try open()] {
      #expect(try storage.generationSlots(of: alice) == [[1, 2], []])
      #expect(try storage.generationSlots(of: bob) == [[], [3]])
      #expect(Set(try storage.generationOwners()) == [alice, bob])
    }
  }

  @Test func `a dropped generation is gone, also when opened again, and can be made anew`() throws {
    let storage = try open()
    try storage.setGenerationSlot(of: alice, 0, [1])
    try storage.setGenerationSlot(of: bob, 0, [2])
    try storage.dropGeneration(of: alice, slot: 0)
    // Dropping what is gone does no harm.
    try storage.dropGeneration(of: alice, slot: 0)
    for storage in [storage, try open()] {
      #expect(try storage.generationSlots(of: alice) == [])
      #expect(try storage.generationSlots(of: bob) == [[2], []])
      #expect(try storage.generationOwners() == [bob])
    }
    try storage.setGenerationSlot(of: alice, 1, [4])
    #expect(try storage.generationSlots(of: alice) == [[], [4]])
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `a generation whose file cannot be removed is dead for this boot`() throws {
    let storage = try open()
    try storage.setGenerationSlot(of: alice, 0, [1])
    let file = folder("state/users/1000-alice/generation")
    // What something is mounted on cannot be removed.
    try #require(mount(file, file, nil, UInt(MS_BIND), nil) == 0)
    defer { umount(file) }
    try storage.dropGeneration(of: alice, slot: 0)
    for storage in [storage, try open()] {
      #expect(try storage.generationSlots(of: alice) == [[], []])
    }
    // What is written later is another one.
    try storage.setGenerationSlot(of: alice, 1, [5])
    #expect(try open().generationSlots(of: alice) == [[], [5]])
    try storage.setGenerationSlot(of: alice, 0, [6])
    #expect(try open().generationSlots(of: alice) == [[6], [5]])
  }

  @Test func `what cannot be taken away is said`() throws {
    let storage = try open()
    try storage.setGenerationSlot(of: alice, 0, [1])
    let file = folder("state/users/1000-alice/generation")
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
    #expect(throws: StorageError.failed) { try storage.dropGeneration(of: alice, slot: 0) }
    #expect(try storage.generationSlots(of: alice) == [])
  }
}
