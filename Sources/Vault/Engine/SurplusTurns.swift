import Wire

/// Which of an owner's surplus forms are told next. Not kept: after a restart all are told again.
struct SurplusTurns {
  /// Told before, the one that waited longest first.
  private var told: [[UInt8]] = []
  /// Told with a read of what is in the store, and not dropped: the store was open then, so what could
  /// not be dropped stays so for long, and costs no further read the way to the store.
  private var left: Set<[UInt8]> = []

  /// The next ids of those that are noted: new ones first, then in turns.
  ///
  /// - Parameter isRead: whether the store is asked for nothing else any more.
  mutating func next(of noted: [[UInt8]], isRead: Bool) -> [[UInt8]] {
    told.removeAll { !noted.contains($0) }
    left.formIntersection(noted)
    var ids = noted.filter { !told.contains($0) } + told
    if isRead { ids.removeAll { left.contains($0) } }
    ids = Array(ids.prefix(Limits.items))
    told.removeAll { ids.contains($0) }
    told += ids
    if isRead { left.formUnion(ids) }
    return ids
  }

  /// Whether nothing was told that is still noted.
  var isEmpty: Bool { told.isEmpty }
}
