import AccessControl

extension Encoder {
  mutating func accessControl(_ value: AccessControl) {
    string(value.binary)
  }
}

extension Decoder {
  mutating func accessControl() throws(DecodingError) -> AccessControl {
    let binary = try string(limit: AccessControl.binaryCount)
    do { return try AccessControl(binary: binary) } catch { throw .invalid }
  }
}
