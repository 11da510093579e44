/// What a running request wants of the store outside, which only the client reaches. No person is
/// asked by it.
public enum StoreStep: Equatable, Sendable {
  /// The request waits until the client has sent these forms in parts, or cancels.
  case fetch([SealedForm])
  /// The forms of these items are to be placed when the request is over. Until the client has said
  /// that one is, the service keeps it.
  case place([ItemIdentity])
  /// Nothing belongs to these ids any more: what the store has of them may go. They are named again
  /// until the client has said that it has gone.
  case discard(ids: [[UInt8]])

  private enum Code: UInt8 {
    case fetch = 1
    case place, discard
  }

  func encode(into encoder: inout Encoder) {
    switch self {
    case .fetch(let forms):
      encoder.uint8(Code.fetch.rawValue)
      encoder.list(forms) { encoder, form in form.encode(into: &encoder) }
    case .place(let items):
      encoder.uint8(Code.place.rawValue)
      encoder.list(items) { encoder, item in item.encode(into: &encoder) }
    case .discard(let ids):
      encoder.uint8(Code.discard.rawValue)
      SealedForm.encode(ids: ids, into: &encoder)
    }
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    guard let code = Code(rawValue: try decoder.uint8()) else { throw .invalid }
    switch code {
    case .fetch:
      self = .fetch(
        try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
          try SealedForm(from: &decoder)
        })
    case .place:
      self = .place(
        try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
          try ItemIdentity(from: &decoder)
        })
    case .discard:
      self = .discard(ids: try SealedForm.ids(from: &decoder))
    }
  }
}
