import AccessControl
import Wire

/// The bytes of frames, also of wrong ones.
enum Raw {
  static func frame(_ message: ClientMessage) -> [UInt8] { FrameHeader.frame(message.encoded) }

  static func secret(_ text: String) -> [UInt8] {
    FrameHeader(secretCount: text.utf8.count).encoded + Array(text.utf8)
  }

  static let hello = frame(.hello(ClientHello()))

  static func item(_ name: String) -> ItemIdentity {
    ItemIdentity(group: Array("whorl".utf8), service: [], account: Array(name.utf8))
  }

  static func read(_ names: String..., reuse: UInt32 = 0) -> ClientMessage {
    .request(Request(.read(names.map(item)), reuse: reuse))
  }

  /// A request that stores an item, without its secret.
  static func add(
    _ name: String, _ access: String = "none", reuse: UInt32 = 0, replacing: Bool = false,
    attributes: Attributes = Attributes()
  ) -> ClientMessage {
    .request(
      Request(
        .add(
          NewItem(
            identity: item(name), attributes: attributes,
            accessControl: control(access, reuse: reuse)), replacing: replacing)))
  }

  static func control(_ text: String, reuse: UInt32 = 0) -> AccessControl {
    // The tests write no other.
    try! AccessControl(text: text, accessibility: .whenUnlocked, reuseLimit: reuse)
  }
}
