/// What an administrator asks of the whole host or of another user. Root may; everyone else is asked
/// by polkit whether they are an administrator.
public enum Administration: Equatable, Sendable {
  /// The names of an account's items, after this row; 0 from the beginning.
  case list(user: [UInt8], after: UInt64)
  /// Deletes all that is kept for an account but the record, for good.
  case purge(user: [UInt8])
  /// The record of an account, the own one where it is not named, without this many of its newest lines.
  case log(user: [UInt8], skipping: UInt32)
  /// Changes the rules; without a change, only says what they are, to everybody.
  case rules(RuleChanges)

  /// Bytes of an account's name.
  public static let nameLimit = 256

  private enum Code: UInt8 {
    case list = 1
    case purge, log, rules
  }

  /// Nobody's name must never come to mean the own one.
  private static func name(from decoder: inout Decoder) throws(DecodingError) -> [UInt8] {
    let name = try decoder.string(limit: nameLimit)
    guard !name.isEmpty else { throw .invalid }
    return name
  }

  func encode(into encoder: inout Encoder) {
    switch self {
    case .list(let user, let after):
      encoder.uint8(Code.list.rawValue)
      encoder.string(user)
      encoder.uint64(after)
    case .purge(let user):
      encoder.uint8(Code.purge.rawValue)
      encoder.string(user)
    case .log(let user, let skipping):
      encoder.uint8(Code.log.rawValue)
      encoder.string(user)
      encoder.uint32(skipping)
    case .rules(let changes):
      encoder.uint8(Code.rules.rawValue)
      changes.encode(into: &encoder)
    }
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    guard let code = Code(rawValue: try decoder.uint8()) else { throw .invalid }
    switch code {
    case .list:
      self = .list(user: try Self.name(from: &decoder), after: try decoder.uint64())
    case .purge: self = .purge(user: try Self.name(from: &decoder))
    case .log:
      self = .log(
        user: try decoder.string(limit: Self.nameLimit), skipping: try decoder.uint32())
    case .rules: self = .rules(try RuleChanges(from: &decoder))
    }
  }
}
