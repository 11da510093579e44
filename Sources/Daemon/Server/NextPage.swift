/// The one further page that goes with what was allowed: the next of the same answer, within seconds
/// of the last. Any other is a request of its own, which is asked about and recorded.
struct NextPage {
  /// Milliseconds.
  static let limit: Int64 = 5000

  private let matter: Matter
  private let offset: UInt64
  private let end: Int64

  /// - Parameters:
  ///   - offset: where the page before ended.
  ///   - now: milliseconds of a steady clock.
  init(_ matter: Matter, from offset: UInt64, now: Int64) {
    self.matter = matter
    self.offset = offset
    end = now + Self.limit
  }

  func serves(_ matter: Matter, from offset: UInt64, now: Int64) -> Bool {
    // What begins at 0 is no further page.
    offset > 0 && offset == self.offset && matter == self.matter && now < end
  }
}
