/// The framing between whorld and its helpers: `uint32` length, then that many bytes.
public enum WorkerFrame {
  public static let headerCount = 4

  /// Puts the length in front. `payload` is at most ``Limits/message`` bytes by construction.
  static func framed(_ payload: [UInt8]) -> [UInt8] {
    header(count: payload.count) + payload
  }

  /// The header alone, for a payload that goes out from locked memory.
  public static func header(count: Int) -> [UInt8] {
    var encoder = Encoder()
    encoder.uint32(UInt32(count))
    return encoder.bytes
  }

  /// The length a header announces; an empty message is none.
  public static func count(
    header: [UInt8], limit: Int = Limits.message
  ) throws(DecodingError) -> Int {
    var decoder = Decoder(header)
    let count = Int(try decoder.uint32())
    try decoder.finish()
    guard count > 0 else { throw .invalid }
    guard count <= limit else { throw .tooLarge }
    return count
  }
}
