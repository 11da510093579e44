extension Range {
  /// What the usual operator makes; in generic code it is not the one below.
  fileprivate static func ordered(_ start: Bound, _ end: Bound) -> Range { start..<end }
}

/// A range that is empty where its end lies before its beginning, as it may in source that breaks
/// off: in this module no range traps.
func ..< (start: Int, end: Int) -> Range<Int> { .ordered(start, max(start, end)) }
