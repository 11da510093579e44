import CSystemd

/// Appends ``BusValue``s to a message under construction.
enum BusWriter {
  static func append(_ values: [BusValue], to message: OpaquePointer) throws(BusError) {
    // SAFETY: the caller holds a reference to the message for the length of the call.
    for value in values {
      unsafe try append(value, to: message)
    }
  }

  private static func append(_ value: BusValue, to message: OpaquePointer) throws(BusError) {
    // SAFETY: as above.
    switch value {
    case .byte(let value): unsafe try basic("y", value, to: message)
    case .bool(let value): unsafe try basic("b", Int32(value ? 1 : 0), to: message)
    case .int32(let value): unsafe try basic("i", value, to: message)
    case .uint32(let value): unsafe try basic("u", value, to: message)
    case .int64(let value): unsafe try basic("x", value, to: message)
    case .uint64(let value): unsafe try basic("t", value, to: message)
    case .double(let value): unsafe try basic("d", value, to: message)
    case .string(let text): unsafe try self.text("s", text, to: message)
    case .objectPath(let text): unsafe try self.text("o", text, to: message)
    case .signature(let text): unsafe try self.text("g", text, to: message)
    case .fileDescriptor(let descriptor):
      // sd-bus duplicates the descriptor, so ours may close at any time.
      unsafe try basic("h", descriptor.number, to: message)
    case .array(let element, let values):
      unsafe try container("a", element, values, to: message)
    case .structure(let fields):
      unsafe try container("r", fields.map(\.signature).joined(), fields, to: message)
    case .entry(let key, let value):
      unsafe try container("e", key.signature + value.signature, [key, value], to: message)
    case .variant(let inner):
      unsafe try container("v", inner.signature, [inner], to: message)
    }
  }

  private static func basic<Value: BitwiseCopyable>(
    _ type: Unicode.Scalar, _ value: Value, to message: OpaquePointer
  ) throws(BusError) {
    var value = value
    // SAFETY: sd-bus reads exactly the width of `type`, and every caller passes the Swift type of
    // that width; the message is alive.
    let result = unsafe sd_bus_message_append_basic(message, CChar(type.value), &value)
    guard result >= 0 else { throw .system(errno: -result) }
  }

  private static func text(
    _ type: Unicode.Scalar, _ text: String, to message: OpaquePointer
  ) throws(BusError) {
    // SAFETY: for text types sd-bus takes the pointer itself and copies the bytes before returning.
    let result = unsafe text.withCString { pointer in
      unsafe sd_bus_message_append_basic(message, CChar(type.value), pointer)
    }
    guard result >= 0 else { throw .system(errno: -result) }
  }

  private static func container(
    _ type: Unicode.Scalar, _ contents: String, _ values: [BusValue], to message: OpaquePointer
  ) throws(BusError) {
    // SAFETY: the message is alive; the string is passed for the length of the call.
    var result = unsafe sd_bus_message_open_container(message, CChar(type.value), contents)
    guard result >= 0 else { throw .system(errno: -result) }
    unsafe try append(values, to: message)
    result = unsafe sd_bus_message_close_container(message)
    guard result >= 0 else { throw .system(errno: -result) }
  }
}
