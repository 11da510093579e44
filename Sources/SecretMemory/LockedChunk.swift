import CLinux

/// One mapping of locked memory, given out in granules.
@safe
struct LockedChunk: ~Copyable {
  static let size = 256 * 1024
  static let smallSize = 8 * 1024
  static let granule = 64

  private let start: UnsafeMutablePointer<UInt8>
  let count: Int
  private var used: [Bool]
  /// No granule below this one is free.
  private var firstFree = 0
  private(set) var usedGranules = 0

  /// Maps and locks at least `bytes`, in multiples of `size`; nil when the kernel refuses.
  init?(bytes: Int, of size: Int, mustLock: Bool) {
    count = max(1, (bytes + size - 1) / size) * size
    // SAFETY: a fresh anonymous mapping, private to this value; MAP_FAILED is all ones.
    let mapping = unsafe mmap(
      nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let mapping = unsafe mapping, UInt(bitPattern: mapping) != UInt.max else { return nil }
    if unsafe mlock(mapping, count) != 0, mustLock {
      unsafe munmap(mapping, count)
      return nil
    }
    unsafe madvise(mapping, count, MADV_DONTDUMP)
    unsafe madvise(mapping, count, MADV_WIPEONFORK)
    unsafe start = mapping.bindMemory(to: UInt8.self, capacity: count)
    used = Array(repeating: false, count: count / Self.granule)
  }

  deinit {
    // SAFETY: mapped by init with this length; the arena drops only chunks without allocations.
    unsafe munmap(start, count)
  }

  /// First fit.
  mutating func allocate(_ granules: Int) -> UnsafeMutablePointer<UInt8>? {
    guard granules <= used.count - usedGranules else { return nil }
    var run = 0
    for index in firstFree..<used.count {
      run = used[index] ? 0 : run + 1
      guard run == granules else { continue }
      let first = index - granules + 1
      for granule in first...index { used[granule] = true }
      if first == firstFree { firstFree = index + 1 }
      usedGranules += granules
      // SAFETY: inside the mapping, which has these granules.
      return unsafe start + first * Self.granule
    }
    return nil
  }

  /// - Returns: false for a place in another chunk.
  mutating func free(_ place: UnsafeMutablePointer<UInt8>, _ granules: Int) -> Bool {
    // SAFETY: the distance of two addresses, of which only one in this mapping is gone on with.
    let offset = unsafe place - start
    guard offset >= 0, offset < count else { return false }
    let first = offset / Self.granule
    for granule in first..<first + granules { used[granule] = false }
    firstFree = min(firstFree, first)
    usedGranules -= granules
    return true
  }
}
