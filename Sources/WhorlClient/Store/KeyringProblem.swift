import Wire

/// Why the user's own keyring did not give or take a sealed item.
public enum KeyringProblem: Error, Equatable, Sendable {
  /// There is no session bus to reach it by.
  case noBus
  /// Nothing on the bus is a Secret Service.
  case noService
  /// It is locked, and was not unlocked.
  case locked
  /// It went away in the middle of a call.
  case gone
  /// It has no such item any more: somebody deleted it, or its collection.
  case missing
  /// It has no such collection.
  case noCollection
  /// It did not answer within the limit.
  case timedOut
  /// The program cancelled the request meanwhile.
  case cancelled
  /// No memory is left for it.
  case exhausted
  /// The program that speaks with keyrings is not installed, or does not work.
  case noHelper
  /// This program runs with more rights than its caller, whose keyring it must not trust.
  case privileged
  /// What the user has settled cannot be read or understood.
  case badSettings
  /// Something else, in the keyring's words: bytes from outside, to be shown with care.
  case failed([UInt8])

  var code: FailureCode {
    switch self {
    case .noBus, .noService, .gone, .noCollection, .noHelper, .failed: .unavailable
    case .locked: .locked
    case .missing: .corrupted
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .exhausted: .busy
    case .privileged: .notPermitted
    case .badSettings: .badParameter
    }
  }

  private var number: UInt8 {
    switch self {
    case .noBus: 1
    case .noService: 2
    case .locked: 3
    case .gone: 4
    case .missing: 5
    case .noCollection: 6
    case .timedOut: 7
    case .cancelled: 8
    case .exhausted: 9
    case .noHelper: 10
    case .privileged: 11
    case .failed: 12
    case .badSettings: 13
    }
  }

  func encode(into encoder: inout Encoder) {
    encoder.uint8(number)
    if case .failed(let words) = self { encoder.string(Array(words.prefix(Limits.field))) }
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    let number = try decoder.uint8()
    let plain: [KeyringProblem] = [
      .noBus, .noService, .locked, .gone, .missing, .noCollection, .timedOut, .cancelled,
      .exhausted, .noHelper, .privileged, .badSettings,
    ]
    if let found = plain.first(where: { $0.number == number }) {
      self = found
    } else if number == Self.failed([]).number {
      self = .failed(try decoder.string())
    } else {
      throw .invalid
    }
  }
}
