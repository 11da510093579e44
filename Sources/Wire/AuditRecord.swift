import AccessControl

/// One line of the audit log: who asked for what, by which factor, with what outcome.
/// Never a secret.
public struct AuditRecord: Hashable, Sendable {
  public enum Action: UInt8, CaseIterable, Sendable {
    case add = 1
    case read, update, delete, rearm, evaluate, generationEnded, lock, makeKey, sign, agree
    /// A touch at a login, and with it the release of a login secret; what was said of one.
    case login, loginSecret, loginKeyring
    /// An administrator's doings, in the record of that one and of the account they are about.
    case listOthers, purge, exportLog, changeRules
    /// The store outside has the item's form, and the service keeps no copy any more.
    case place
  }

  /// Seconds since 1970.
  public var time: UInt64
  public var user: UInt32
  public var process: Int32
  /// The executable's path, unverified.
  public var program: [UInt8]
  public var action: Action
  public var item: [UInt8]
  public var factors: [Factor]
  /// nil for success.
  public var failure: FailureCode?

  public init(
    time: UInt64, user: UInt32, process: Int32, program: [UInt8], action: Action, item: [UInt8],
    factors: [Factor], failure: FailureCode?
  ) {
    self.time = time
    self.user = user
    self.process = process
    self.program = program
    self.action = action
    self.item = item
    self.factors = factors
    self.failure = failure
  }

  /// What tells records apart that are looked up together.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(process)
    hasher.combine(item)
  }

  public func encode(into encoder: inout Encoder) {
    encoder.uint64(time)
    encoder.uint32(user)
    encoder.int32(process)
    encoder.string(program)
    encoder.uint8(action.rawValue)
    encoder.string(item)
    encoder.list(factors) { encoder, factor in encoder.uint8(factor.rawValue) }
    encoder.uint8(failure?.rawValue ?? 0)
  }

  public init(from decoder: inout Decoder) throws(DecodingError) {
    time = try decoder.uint64()
    user = try decoder.uint32()
    process = try decoder.int32()
    program = try decoder.string()
    guard let action = Action(rawValue: try decoder.uint8()) else { throw .invalid }
    self.action = action
    item = try decoder.string()
    factors = try decoder.list(limit: Factor.allCases.count) { decoder throws(DecodingError) in
      guard let factor = Factor(rawValue: try decoder.uint8()) else { throw .invalid }
      return factor
    }
    let code = try decoder.uint8()
    failure = FailureCode(rawValue: code)
    guard code == 0 || failure != nil else { throw .invalid }
  }
}
