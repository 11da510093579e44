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
}
