import Wire

/// What `whorl-secret-service` is asked, on its standard input.
package struct KeyringCall: Equatable, Sendable {
  package enum Operation: Equatable, Sendable {
    case prepare
    case fetch([SealedForm])
    case place(PlacedItem)
    case discard(ids: [[UInt8]])
  }

  package var operation: Operation
  /// The label of the collection that items are placed in; empty for the default one.
  package var collection: [UInt8]
  /// Whether the person may be asked to unlock it.
  package var mayAsk: Bool

  package init(_ operation: Operation, collection: [UInt8] = [], mayAsk: Bool) {
    self.operation = operation
    self.collection = collection
    self.mayAsk = mayAsk
  }

  package var encoded: [UInt8] {
    var encoder = Encoder()
    encoder.string(collection)
    encoder.bool(mayAsk)
    switch operation {
    case .prepare: encoder.uint8(1)
    case .fetch(let forms):
      encoder.uint8(2)
      encoder.list(forms) { encoder, form in form.encode(into: &encoder) }
    case .place(let item):
      encoder.uint8(3)
      item.identity.encode(into: &encoder)
      item.attributes.encode(into: &encoder)
      item.form.encode(into: &encoder)
      encoder.string(item.bytes)
    case .discard(let ids):
      encoder.uint8(4)
      encoder.list(ids) { encoder, id in encoder.string(id) }
    }
    return encoder.bytes
  }

  package init(_ bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    collection = try decoder.string()
    mayAsk = try decoder.bool()
    switch try decoder.uint8() {
    case 1: operation = .prepare
    case 2:
      operation = .fetch(
        try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
          try SealedForm(from: &decoder)
        })
    case 3:
      operation = .place(
        PlacedItem(
          identity: try ItemIdentity(from: &decoder), attributes: try Attributes(from: &decoder),
          form: try SealedForm(from: &decoder),
          bytes: try decoder.string(limit: Limits.sealed)))
    case 4:
      operation = .discard(ids: try Self.ids(from: &decoder))
    default: throw .invalid
    }
    try decoder.finish()
  }

  fileprivate static func ids(from decoder: inout Decoder) throws(DecodingError) -> [[UInt8]] {
    try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
      try decoder.string(limit: SealedForm.idCount)
    }
  }
}

/// What it answers, on its standard output.
package enum KeyringAnswer: Equatable, Sendable {
  case done
  case forms([[UInt8]])
  /// The ids of which nothing is left.
  case dropped([[UInt8]])
  case problem(KeyringProblem)

  package var encoded: [UInt8] {
    var encoder = Encoder()
    switch self {
    case .done: encoder.uint8(1)
    case .forms(let forms):
      encoder.uint8(2)
      encoder.list(forms) { encoder, form in encoder.string(form) }
    case .problem(let problem):
      encoder.uint8(3)
      problem.encode(into: &encoder)
    case .dropped(let ids):
      encoder.uint8(4)
      encoder.list(ids) { encoder, id in encoder.string(id) }
    }
    return encoder.bytes
  }

  package init(_ bytes: [UInt8]) throws(DecodingError) {
    var decoder = Decoder(bytes)
    switch try decoder.uint8() {
    case 1: self = .done
    case 2:
      self = .forms(
        try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
          try decoder.string(limit: Limits.sealed)
        })
    case 3: self = .problem(try KeyringProblem(from: &decoder))
    case 4: self = .dropped(try KeyringCall.ids(from: &decoder))
    default: throw .invalid
    }
    try decoder.finish()
  }
}
