/// Bytes that are locked in memory, left out of core dumps, and wiped when the last reference to
/// them goes.
///
/// A reference type, because secrets stand in arrays and enum payloads, and because no copy can
/// be made by assignment. There is no description, no coding and no comparison: nothing prints or
/// compares a secret by accident. Safe to hand to another thread; not to change from two at once.
@safe
public final class SecretBytes: @unchecked Sendable {
  public let count: Int
  @usableFromInline let allocation: LockedArena.Allocation

  /// Zeros.
  ///
  /// - Throws: `.exhausted` when no more memory can be locked; nothing else fails then.
  public init(count: Int) throws(SecretMemoryError) {
    self.count = count
    // SAFETY: this object owns the allocation until `deinit`.
    unsafe allocation = try LockedArena.shared.allocate(count)
  }

  public convenience init(copying bytes: Span<UInt8>) throws(SecretMemoryError) {
    try self.init(count: bytes.count)
    withMutableBytes { own in
      for index in 0..<bytes.count { own[index] = bytes[index] }
    }
  }

  deinit {
    // SAFETY: the only owner gives it back once; no span outlives the object.
    unsafe LockedArena.shared.free(allocation)
  }

  @inlinable
  public func withBytes<Result: ~Copyable, E: Error>(
    _ body: (Span<UInt8>) throws(E) -> Result
  ) throws(E) -> Result {
    // SAFETY: the allocation has `count` initialized bytes and lives as long as self, which the
    // call keeps alive; the span cannot escape it.
    defer { extendLifetime(self) }
    return try body(unsafe Span(_unsafeStart: allocation.start, count: count))
  }

  @inlinable
  public func withMutableBytes<Result: ~Copyable, E: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(E) -> Result
  ) throws(E) -> Result {
    // SAFETY: as in withBytes.
    defer { extendLifetime(self) }
    var span = unsafe MutableSpan(_unsafeStart: allocation.start, count: count)
    return try body(&span)
  }

  /// For wrappers that hand the bytes to C.
  @unsafe @inlinable
  public func withUnsafeBytes<Result, E: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(E) -> Result
  ) throws(E) -> Result {
    // SAFETY: as in withBytes; the caller does not keep the pointer.
    defer { extendLifetime(self) }
    return try unsafe body(
      UnsafeMutableRawBufferPointer(start: allocation.start, count: count))
  }
}
