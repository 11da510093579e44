import CLinux
import Synchronization

/// The process's locked memory: chunks of 256 KiB that are added when full and given back when
/// empty but for one, so that no page is locked or unlocked on the path of a read.
///
/// Safe on every thread: every access to the chunks holds the lock.
public final class LockedArena: Sendable {
  public static let shared = LockedArena()

  /// Where the bytes of one secret are.
  @unsafe @usableFromInline
  struct Allocation {
    @usableFromInline let start: UnsafeMutablePointer<UInt8>
    let granules: Int
  }

  /// Chunks stand in an array, which holds no noncopyable values. A box is used under the lock alone.
  private final class Box: @unchecked Sendable {
    var chunk: LockedChunk
    init(_ chunk: consuming LockedChunk) { self.chunk = chunk }
  }

  private struct State {
    var chunks: [Box] = []
    var mustLock = true
    var chunkSize = LockedChunk.size

    /// Whether an empty chunk is kept: one of ordinary size is, besides the chunks in use.
    ///
    /// Making and giving back a chunk takes ten times as long as a read, which every read would pay
    /// where the others have filled the last chunk.
    func isSpare(_ box: Box) -> Bool {
      let others = chunks.filter { $0 !== box }
      guard box.chunk.count <= chunkSize else { return others.isEmpty }
      return !others.contains { $0.chunk.usedGranules == 0 }
    }
  }

  private let state = Mutex(State())

  init() {}

  /// Lets a client go on with unlocked memory where its limit (RLIMIT_MEMLOCK) forbids locking;
  /// it is still left out of core dumps and wiped. A service keeps the default, true.
  public func requireLocking(_ required: Bool) {
    state.withLock { $0.mustLock = required }
  }

  /// Makes chunks of 8 KiB: for a program of one request, in which locking a large chunk would
  /// take longer than the request.
  public func useSmallChunks() {
    state.withLock { $0.chunkSize = LockedChunk.smallSize }
  }

  /// Locks the first chunk, so that a service that cannot lock memory refuses to start.
  public func prime() throws(SecretMemoryError) {
    // SAFETY: the allocation is given back once, and nothing kept it.
    unsafe free(try allocate(1))
  }

  /// Chunks held now.
  public var chunkCount: Int {
    state.withLock { $0.chunks.count }
  }

  func allocate(_ bytes: Int) throws(SecretMemoryError) -> Allocation {
    let granules = max(1, (bytes + LockedChunk.granule - 1) / LockedChunk.granule)
    // SAFETY: the place is inside the chunk, which lasts while one of its granules is taken.
    let allocation = unsafe state.withLock { state -> Allocation? in
      for box in state.chunks {
        if let start = unsafe box.chunk.allocate(granules) {
          return unsafe Allocation(start: start, granules: granules)
        }
      }
      guard
        let chunk = LockedChunk(
          bytes: granules * LockedChunk.granule, of: state.chunkSize, mustLock: state.mustLock)
      else { return nil }
      let box = Box(chunk)
      state.chunks.append(box)
      // A new chunk is large enough for what it was made for.
      guard let start = unsafe box.chunk.allocate(granules) else { return nil }
      return unsafe Allocation(start: start, granules: granules)
    }
    guard let allocation = unsafe allocation else { throw .exhausted }
    return unsafe allocation
  }

  func free(_ allocation: Allocation) {
    // SAFETY: the allocation is this many granules of one chunk, and is given back once.
    unsafe explicit_bzero(allocation.start, allocation.granules * LockedChunk.granule)
    state.withLock { state in
      for (index, box) in state.chunks.enumerated() {
        guard unsafe box.chunk.free(allocation.start, allocation.granules) else { continue }
        if box.chunk.usedGranules == 0, !state.isSpare(box) { state.chunks.remove(at: index) }
        return
      }
    }
  }
}
