/// The framing of the socket: `uint32` length, then that many bytes, the first of which is the
/// type. Type ``secretType`` is a secret: its other bytes are the secret itself, and go straight
/// between the socket and locked memory. Every other type is a message of ``ClientMessage`` or
/// ``ServerMessage``.
///
/// A secret stands before the message that uses it, so a complete message is always ready to run.
public struct FrameHeader: Equatable, Sendable {
  /// Length and type.
  public static let count = 5
  public static let secretType: UInt8 = 0xff

  /// Bytes after the type byte.
  public let bodyCount: Int
  public let type: UInt8

  public var isSecret: Bool { type == Self.secretType }

  public init(secretCount: Int) {
    bodyCount = secretCount
    type = Self.secretType
  }

  /// - Parameter bytes: exactly ``count`` bytes.
  /// - Throws: `.invalid` for an empty frame, `.tooLarge` over the limit of its type.
  public init(_ bytes: Span<UInt8>) throws(DecodingError) {
    guard bytes.count == Self.count else { throw .truncated }
    var length: UInt32 = 0
    for index in 0..<4 {
      length = length << 8 | UInt32(bytes[index])
    }
    type = bytes[4]
    guard length >= 1 else { throw .invalid }
    bodyCount = Int(length) - 1
    let limit = type == Self.secretType ? Limits.secret : Limits.message - 1
    guard bodyCount <= limit else { throw .tooLarge }
  }

  /// The ``count`` bytes that precede the body.
  public var encoded: [UInt8] {
    var encoder = Encoder()
    encoder.uint32(UInt32(bodyCount + 1))
    encoder.uint8(type)
    return encoder.bytes
  }
}

extension FrameHeader {
  /// A whole message frame: length, then the message, whose first byte is its type.
  public static func frame(_ message: [UInt8]) -> [UInt8] {
    var encoder = Encoder()
    encoder.string(message)
    return encoder.bytes
  }
}
