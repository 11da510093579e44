import CSystemd

/// A received message: who sent what, with its body already read.
public struct BusMessage: Sendable {
  /// The unique name of the sender, or empty for a message made by the connection itself.
  public let sender: String
  public let path: String
  public let interface: String
  public let member: String
  public let body: [BusValue]

  init(_ message: OpaquePointer) throws(BusError) {
    // SAFETY: the caller holds a reference to the message; every text is copied at once.
    unsafe sender = Self.copy(sd_bus_message_get_sender(message))
    unsafe path = Self.copy(sd_bus_message_get_path(message))
    unsafe interface = Self.copy(sd_bus_message_get_interface(message))
    unsafe member = Self.copy(sd_bus_message_get_member(message))
    unsafe body = try BusReader.body(of: message)
  }

  static func copy(_ text: UnsafePointer<CChar>?) -> String {
    // SAFETY: the caller passes a string that lives for the length of the call, or none.
    guard let text = unsafe text else { return "" }
    return unsafe String(cString: text)
  }
}
