/// What a finished request answers.
public enum Reply: Equatable, Sendable {
  case done
  /// As many secret frames as this came before, in the order asked.
  case secrets(count: UInt32)
  case items([ItemRow])
  case item(ItemDetail)
  case status(HostStatus)
  case records([AuditRecord])
  /// The digest that stands for the enrolled prints, empty when there are none.
  case domainState([UInt8])
  /// A public key or a signature.
  case bytes([UInt8])
  case loginKeyring(LoginKeyring)
  case rules(Rules)
  case form(FormPage)

  private enum Code: UInt8 {
    case done = 1
    case secrets, items, item, status, records, domainState, bytes, loginKeyring, rules, form
  }

  func encode(into encoder: inout Encoder) {
    switch self {
    case .done: encoder.uint8(Code.done.rawValue)
    case .secrets(let count):
      encoder.uint8(Code.secrets.rawValue)
      encoder.uint32(count)
    case .items(let rows):
      encoder.uint8(Code.items.rawValue)
      encoder.list(rows) { encoder, row in row.encode(into: &encoder) }
    case .item(let detail):
      encoder.uint8(Code.item.rawValue)
      detail.encode(into: &encoder)
    case .status(let status):
      encoder.uint8(Code.status.rawValue)
      status.encode(into: &encoder)
    case .records(let records):
      encoder.uint8(Code.records.rawValue)
      encoder.list(records) { encoder, record in record.encode(into: &encoder) }
    case .domainState(let digest):
      encoder.uint8(Code.domainState.rawValue)
      encoder.string(digest)
    case .bytes(let bytes):
      encoder.uint8(Code.bytes.rawValue)
      encoder.string(bytes)
    case .loginKeyring(let state):
      encoder.uint8(Code.loginKeyring.rawValue)
      encoder.uint8(state.rawValue)
    case .rules(let rules):
      encoder.uint8(Code.rules.rawValue)
      rules.encode(into: &encoder)
    case .form(let page):
      encoder.uint8(Code.form.rawValue)
      page.encode(into: &encoder)
    }
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    guard let code = Code(rawValue: try decoder.uint8()) else { throw .invalid }
    switch code {
    case .done: self = .done
    case .secrets: self = .secrets(count: try decoder.uint32())
    case .items:
      self = .items(
        try decoder.list(limit: Limits.page) { decoder throws(DecodingError) in
          try ItemRow(from: &decoder)
        })
    case .item: self = .item(try ItemDetail(from: &decoder))
    case .status: self = .status(try HostStatus(from: &decoder))
    case .records:
      self = .records(
        try decoder.list(limit: Limits.page) { decoder throws(DecodingError) in
          try AuditRecord(from: &decoder)
        })
    case .domainState: self = .domainState(try decoder.string(limit: 64))
    case .bytes: self = .bytes(try decoder.string(limit: 256))
    case .loginKeyring:
      guard let state = LoginKeyring(rawValue: try decoder.uint8()) else { throw .invalid }
      self = .loginKeyring(state)
    case .rules: self = .rules(try Rules(from: &decoder))
    case .form: self = .form(try FormPage(from: &decoder))
    }
  }
}
