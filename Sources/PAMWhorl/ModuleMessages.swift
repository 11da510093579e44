/// What a module sends, as whole frames.
enum ModuleMessages {
  static let version: UInt32 = 1

  /// The hello: a login program has no access groups and speaks for nobody else.
  static var hello: [UInt8] {
    frame(type: 1) { encoder in
      encoder.uint32(version)
      encoder.uint32(0)
      encoder.string([])
    }
  }

  /// A request of one login step, without an auth context, reuse or reason.
  static func request(_ login: Login) -> [UInt8] {
    frame(type: 2) { encoder in
      encoder.uint32(0)
      encoder.bool(true)
      encoder.uint32(0)
      encoder.string([])
      encoder.uint8(17)
      login.encode(into: &encoder)
    }
  }

  static func shown(_ prompt: UInt32) -> [UInt8] {
    frame(type: 3) { $0.uint32(prompt) }
  }

  private static func frame(type: UInt8, _ body: (inout Encoder) -> Void) -> [UInt8] {
    var encoder = Encoder()
    encoder.uint8(type)
    body(&encoder)
    return FrameHeader.frame(encoder.bytes)
  }
}
