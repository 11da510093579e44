/// What `whorl-print-reader` tells of one print.
///
/// The request is a frame whose payload is the print as fprintd stored it, at most
/// ``PrintReaderReply/printLimit`` bytes. The reply is a frame: type 1 and the fields of
/// ``PrintFacts``, or type 2 for bytes that are no print. One question for each process.
public enum PrintReaderReply: Equatable, Sendable {
  case print(PrintFacts)
  case notAPrint

  /// Bytes of a print.
  public static let printLimit = 1024 * 1024
  static let textLimit = 256

  /// The message with its length, ready for the socket.
  public func encoded() -> [UInt8] {
    var encoder = Encoder()
    switch self {
    case .print(let facts):
      encoder.uint8(1)
      encoder.uint8(facts.finger)
      encoder.text(facts.driver)
      encoder.text(facts.device)
      encoder.optional(facts.enrolled) {
        $0.uint32(UInt32($1.year))
        $0.uint8(UInt8($1.month))
        $0.uint8(UInt8($1.day))
      }
      encoder.bool(facts.isDeviceStored)
      encoder.text(facts.user)
    case .notAPrint:
      encoder.uint8(2)
    }
    return WorkerFrame.framed(encoder.bytes)
  }

  /// Reads a message without its length.
  public init(decoding bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    switch try decoder.uint8() {
    case 1:
      let finger = try decoder.uint8()
      guard finger <= PrintFacts.lastFinger else { throw .invalid }
      let driver = try decoder.text(limit: Self.textLimit)
      let device = try decoder.text(limit: Self.textLimit)
      let enrolled = try decoder.optional { (decoder) throws(DecodingError) in
        try Self.date(&decoder)
      }
      self = .print(
        PrintFacts(
          finger: finger, driver: driver, device: device, enrolled: enrolled,
          isDeviceStored: try decoder.bool(), user: try decoder.text(limit: Self.textLimit)))
    case 2: self = .notAPrint
    default: throw .invalid
    }
    try decoder.finish()
  }

  private static func date(_ decoder: inout Decoder) throws(DecodingError) -> PrintFacts.Day {
    let year = try decoder.uint32()
    let month = try decoder.uint8()
    let day = try decoder.uint8()
    guard (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      throw .invalid
    }
    return PrintFacts.Day(year: Int(year), month: Int(month), day: Int(day))
  }
}
