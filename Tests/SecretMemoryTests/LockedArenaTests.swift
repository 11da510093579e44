import Foundation
import Testing

@testable import SecretMemory

/// Each test has an arena of its own, since other tests use the shared one meanwhile.
struct LockedArenaTests {
  private let arena = LockedArena()
  private let granulesOfAChunk = LockedChunk.size / LockedChunk.granule

  @Test func `a freed secret is zero before its place is used again`() throws {
    let kept = try arena.allocate(64)
    let allocation = try arena.allocate(1000)
    for index in 0..<1000 { allocation.start[index] = 0xa5 }
    arena.free(allocation)
    for index in 0..<1000 { #expect(allocation.start[index] == 0) }
    let next = try arena.allocate(1000)
    #expect(next.start == allocation.start)
    arena.free(next)
    arena.free(kept)
  }

  @Test func `allocations never overlap, whatever is freed between`() throws {
    var random = SystemRandomNumberGenerator()
    var live: [(LockedArena.Allocation, Int, UInt8)] = []
    for round in 0..<4000 {
      if live.count > 200 || (!live.isEmpty && Bool.random(using: &random)) {
        let (allocation, count, mark) = live.remove(at: Int.random(in: live.indices))
        let isIntact = (0..<count).allSatisfy { allocation.start[$0] == mark }
        #expect(isIntact)
        arena.free(allocation)
      } else {
        let count = Int.random(in: 1...(round.isMultiple(of: 50) ? 300_000 : 3000))
        let allocation = try arena.allocate(count)
        let mark = UInt8.random(in: 1...255)
        let isZero = (0..<count).allSatisfy { allocation.start[$0] == 0 }
        #expect(isZero)
        for index in 0..<count { allocation.start[index] = mark }
        live.append((allocation, count, mark))
      }
    }
    for (allocation, _, _) in live { arena.free(allocation) }
    #expect(arena.chunkCount == 1)
  }

  @Test func `the arena grows when it is full and keeps one empty chunk`() throws {
    try arena.prime()
    #expect(arena.chunkCount == 1)
    let secrets = try (0..<3).map { _ in try arena.allocate(LockedChunk.size) }
    #expect(arena.chunkCount == 3)
    arena.free(secrets[1])
    #expect(arena.chunkCount == 3)
    arena.free(secrets[0])
    #expect(arena.chunkCount == 2)
    arena.free(secrets[2])
    #expect(arena.chunkCount == 1)
  }

  @Test func `at the edge of a chunk no memory is locked for each secret`() throws {
    let full = try arena.allocate(LockedChunk.size)
    let first = try arena.allocate(64)
    arena.free(first)
    let second = try arena.allocate(64)
    #expect(second.start == first.start)
    #expect(arena.chunkCount == 2)
    arena.free(second)
    arena.free(full)
  }

  @Test func `a chunk made for a large secret goes with it`() throws {
    let small = try arena.allocate(64)
    let large = try arena.allocate(1024 * 1024)
    #expect(arena.chunkCount == 2)
    arena.free(large)
    #expect(arena.chunkCount == 1)
    arena.free(small)
  }

  @Test func `a secret larger than a chunk gets one of its size`() throws {
    let count = 1024 * 1024
    let allocation = try arena.allocate(count)
    allocation.start[0] = 1
    allocation.start[count - 1] = 1
    arena.free(allocation)
    #expect(arena.chunkCount == 1)
  }

  @Test func `a freed place between two others is used again`() throws {
    let allocations = try (0..<granulesOfAChunk).map { _ in try arena.allocate(64) }
    #expect(arena.chunkCount == 1)
    arena.free(allocations[7])
    arena.free(allocations[8])
    let again = try arena.allocate(128)
    #expect(again.start == allocations[7].start)
    #expect(arena.chunkCount == 1)
  }

  @Test func `a chunk is locked, left out of dumps and wiped on fork`() throws {
    let allocation = try arena.allocate(1)
    defer { arena.free(allocation) }
    let flags = try Mapping.flags(of: UInt(bitPattern: allocation.start))
    #expect(flags.isSuperset(of: ["lo", "dd", "wf"]))
  }

  @Test func `threads share an arena`() throws {
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<2000 {
        guard let allocation = try? arena.allocate(round % 700 + 1) else { continue }
        allocation.start[0] = UInt8(thread)
        arena.free(allocation)
      }
    }
    #expect(arena.chunkCount == 1)
  }
}
