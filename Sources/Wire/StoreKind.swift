/// Where the sealed form of an item is kept. Numbers are never used again.
public enum StoreKind: UInt8, CaseIterable, Sendable {
  /// With the service.
  case own = 0
  /// In the Secret Service of the user's session, which the client reaches and the service never.
  case secretService = 1

  /// As people write it.
  public var word: String {
    switch self {
    case .own: "default"
    case .secretService: "secret-service"
    }
  }

  public init?(word: String) {
    guard let found = Self.allCases.first(where: { $0.word == word }) else { return nil }
    self = found
  }

  /// One byte for a boolean and a choice of store, if there is one.
  static func flags(_ first: Bool, _ store: StoreKind?) -> UInt8 {
    (first ? 1 : 0) | (store.map { $0.rawValue + 1 } ?? 0) << 1
  }

  static func choice(in flags: UInt8) throws(DecodingError) -> (Bool, StoreKind?) {
    let isFirst = flags & 1 == 1
    guard flags > 1 else { return (isFirst, nil) }
    guard let store = StoreKind(rawValue: (flags >> 1) - 1) else { throw .invalid }
    return (isFirst, store)
  }
}
