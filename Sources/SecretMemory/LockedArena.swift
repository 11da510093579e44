import CLinux
import Synchronization

/// The process's locked memory: chunks of 256 KiB that are added when full and given back when
/// empty but for one, so that no page is locked or unlocked on the path of a read.
///
/// Safe on every thread: every access to the chunks holds the lock.
public final class LockedArena: @unchecked Sendable {
  public static let shared = LockedArena()

  /// Where the bytes of one secret are.
  @unsafe @usableFromInline
  struct Allocation {
    @usableFromInline let start: UnsafeMutablePointer<UInt8>
    let granules: Int
  }

  /// Chunks stand in an array, which holds no noncopyable values.
  private final class Box {
    var chunk: LockedChunk
    init(_ chunk: consuming LockedChunk) { self.chunk = chunk }
  }

  private let lock = Mutex(())
  private var chunks: [Box] = []
  private var mustLock = true
  private var chunkSize = LockedChunk.size

  init() {}

  /// Lets a client go on with unlocked memory where its limit (RLIMIT_MEMLOCK) forbids locking;
  /// it is still left out of core dumps and wiped. A service keeps the default, true.
  public func requireLocking(_ required: Bool) {
    lock.withLock { _ in mustLock = required }
  }

  /// Makes chunks of 8 KiB: for a program of one request, in which locking a large chunk would
  /// take longer than the request.
  public func useSmallChunks() {
    lock.withLock { _ in chunkSize = LockedChunk.smallSize }
  }

  /// Locks the first chunk, so that a service that cannot lock memory refuses to start.
  public func prime() throws(SecretMemoryError) {
    // SAFETY: the allocation is given back once, and nothing kept it.
    unsafe free(try allocate(1))
  }

  /// Chunks held now.
  public var chunkCount: Int {
    lock.withLock { _ in chunks.count }
  }

  func allocate(_ bytes: Int) throws(SecretMemoryError) -> Allocation {
    let granules = max(1, (bytes + LockedChunk.granule - 1) / LockedChunk.granule)
    // SAFETY: the place is inside the chunk, which lasts while one of its granules is taken.
    let allocation = unsafe lock.withLock { _ -> Allocation? in
      for box in chunks {
        if let first = box.chunk.allocate(granules) {
          return unsafe Allocation(
            start: box.chunk.start + first * LockedChunk.granule, granules: granules)
        }
      }
      guard
        let chunk = LockedChunk(
          bytes: granules * LockedChunk.granule, of: chunkSize, mustLock: mustLock)
      else { return nil }
      let box = Box(chunk)
      chunks.append(box)
      // A new chunk is large enough for what it was made for.
      guard let first = box.chunk.allocate(granules) else { return nil }
      return unsafe Allocation(
        start: box.chunk.start + first * LockedChunk.granule, granules: granules)
    }
    guard let allocation = unsafe allocation else { throw .exhausted }
    return unsafe allocation
  }

  func free(_ allocation: Allocation) {
    // SAFETY: the allocation is this many granules of one chunk, and is given back once.
    unsafe explicit_bzero(allocation.start, allocation.granules * LockedChunk.granule)
    lock.withLock { _ in
      for (index, box) in chunks.enumerated() {
        let offset = unsafe allocation.start - box.chunk.start
        guard offset >= 0, offset < box.chunk.count else { continue }
        unsafe box.chunk.free(offset / LockedChunk.granule, allocation.granules)
        if box.chunk.usedGranules == 0, !isSpare(box) { chunks.remove(at: index) }
        return
      }
    }
  }

  /// Whether an empty chunk is kept: one of ordinary size is, besides the chunks in use.
  ///
  /// Making and giving back a chunk takes ten times as long as a read, which every read would pay
  /// where the others have filled the last chunk.
  private func isSpare(_ box: Box) -> Bool {
    let others = chunks.filter { $0 !== box }
    guard box.chunk.count <= chunkSize else { return others.isEmpty }
    return !others.contains { $0.chunk.usedGranules == 0 }
  }
}
