import AccessControl

extension Request {
  func encode(into encoder: inout Encoder) {
    encoder.uint32(context)
    encoder.uint8(usesAgent ? promptsWithoutAgent ? 3 : 2 : allowsInteraction ? 1 : 0)
    encoder.uint32(reuse)
    encoder.string(reason)
    operation.encode(into: &encoder)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    context = try decoder.uint32()
    let interaction = try decoder.uint8()
    guard interaction <= 3 else { throw .invalid }
    allowsInteraction = interaction > 0
    usesAgent = interaction >= 2
    promptsWithoutAgent = interaction == 3
    reuse = try decoder.uint32()
    guard reuse <= AccessControl.longestReuse else { throw .invalid }
    reason = try decoder.string(limit: 1024)
    operation = try Operation(from: &decoder)
  }
}

extension Operation {
  private enum Code: UInt8 {
    case add = 1
    case read, update, delete, rearm, show, list, status, log, lock, evaluate, canEvaluate
    case domainState, makeKey, sign, agree, login, loginKeyring, administer, form, placed
    case discarded
  }

  func encode(into encoder: inout Encoder) {
    switch self {
    case .add(let item, let replacing):
      encoder.uint8(Code.add.rawValue)
      item.encode(into: &encoder)
      encoder.uint8(StoreKind.flags(replacing, item.store))
    case .read(let items):
      encoder.uint8(Code.read.rawValue)
      encoder.list(items) { encoder, item in item.encode(into: &encoder) }
    case .update(let item, let changes):
      encoder.uint8(Code.update.rawValue)
      item.encode(into: &encoder)
      changes.encode(into: &encoder)
    case .delete(let item): encode(.delete, item, into: &encoder)
    case .rearm(let item): encode(.rearm, item, into: &encoder)
    case .show(let item): encode(.show, item, into: &encoder)
    case .list(let query):
      encoder.uint8(Code.list.rawValue)
      query.encode(into: &encoder)
    case .status: encoder.uint8(Code.status.rawValue)
    case .log(let limit):
      encoder.uint8(Code.log.rawValue)
      encoder.uint32(limit)
    case .lock: encoder.uint8(Code.lock.rawValue)
    case .evaluate(let control):
      encoder.uint8(Code.evaluate.rawValue)
      encoder.accessControl(control)
    case .canEvaluate(let control):
      encoder.uint8(Code.canEvaluate.rawValue)
      encoder.accessControl(control)
    case .domainState: encoder.uint8(Code.domainState.rawValue)
    case .makeKey(let item, let kind):
      encoder.uint8(Code.makeKey.rawValue)
      item.encode(into: &encoder)
      encoder.uint8(kind.rawValue)
    case .sign(let item, let input):
      encode(.sign, item, into: &encoder)
      encoder.string(input)
    case .agree(let item, let peer):
      encode(.agree, item, into: &encoder)
      encoder.string(peer)
    case .login(let login):
      encoder.uint8(Code.login.rawValue)
      login.encode(into: &encoder)
    case .loginKeyring(let action):
      encoder.uint8(Code.loginKeyring.rawValue)
      encoder.uint8(action.rawValue)
    case .administer(let administration):
      encoder.uint8(Code.administer.rawValue)
      administration.encode(into: &encoder)
    case .form(let item, let offset):
      encode(.form, item, into: &encoder)
      encoder.uint32(offset)
    case .placed(let item, let digest):
      encode(.placed, item, into: &encoder)
      encoder.string(digest)
    case .discarded(let ids):
      encoder.uint8(Code.discarded.rawValue)
      SealedForm.encode(ids: ids, into: &encoder)
    }
  }

  private func encode(_ code: Code, _ item: ItemIdentity, into encoder: inout Encoder) {
    encoder.uint8(code.rawValue)
    item.encode(into: &encoder)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    guard let code = Code(rawValue: try decoder.uint8()) else { throw .invalid }
    switch code {
    case .add:
      var item = try NewItem(from: &decoder)
      let replacing: Bool
      (replacing, item.store) = try StoreKind.choice(in: decoder.uint8())
      self = .add(item, replacing: replacing)
    case .read:
      let items = try decoder.list(limit: Limits.items) { decoder throws(DecodingError) in
        try ItemIdentity(from: &decoder)
      }
      guard !items.isEmpty else { throw .invalid }
      self = .read(items)
    case .update:
      self = .update(try ItemIdentity(from: &decoder), try Changes(from: &decoder))
    case .delete: self = .delete(try ItemIdentity(from: &decoder))
    case .rearm: self = .rearm(try ItemIdentity(from: &decoder))
    case .show: self = .show(try ItemIdentity(from: &decoder))
    case .list: self = .list(try Query(from: &decoder))
    case .status: self = .status
    case .log: self = .log(limit: try decoder.uint32())
    case .lock: self = .lock
    case .evaluate: self = .evaluate(try decoder.accessControl())
    case .canEvaluate: self = .canEvaluate(try decoder.accessControl())
    case .domainState: self = .domainState
    case .makeKey:
      let item = try NewItem(from: &decoder)
      guard let kind = KeyKind(rawValue: try decoder.uint8()) else { throw .invalid }
      self = .makeKey(item, kind)
    case .sign: self = .sign(try ItemIdentity(from: &decoder), try decoder.string())
    case .agree:
      self = .agree(try ItemIdentity(from: &decoder), peer: try decoder.string(limit: 256))
    case .login: self = .login(try Login(from: &decoder))
    case .loginKeyring:
      guard let action = LoginKeyring.Action(rawValue: try decoder.uint8()) else {
        throw .invalid
      }
      self = .loginKeyring(action)
    case .administer: self = .administer(try Administration(from: &decoder))
    case .form:
      self = .form(try ItemIdentity(from: &decoder), offset: try decoder.uint32())
    case .placed:
      let item = try ItemIdentity(from: &decoder)
      let digest = try decoder.string(limit: SealedForm.digestCount)
      guard digest.count == SealedForm.digestCount else { throw .invalid }
      self = .placed(item, digest: digest)
    case .discarded: self = .discarded(ids: try SealedForm.ids(from: &decoder))
    }
  }
}

extension NewItem {
  func encode(into encoder: inout Encoder) {
    identity.encode(into: &encoder)
    attributes.encode(into: &encoder)
    encoder.accessControl(accessControl)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    identity = try ItemIdentity(from: &decoder)
    attributes = try Attributes(from: &decoder)
    accessControl = try decoder.accessControl()
    store = nil
  }
}

extension Changes {
  func encode(into encoder: inout Encoder) {
    encoder.optional(identity) { encoder, identity in identity.encode(into: &encoder) }
    encoder.optional(attributes) { encoder, attributes in attributes.encode(into: &encoder) }
    encoder.optional(accessControl) { encoder, control in encoder.accessControl(control) }
    encoder.uint8(StoreKind.flags(replacesSecret, store))
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    identity = try decoder.optional { decoder throws(DecodingError) in
      try ItemIdentity(from: &decoder)
    }
    attributes = try decoder.optional { decoder throws(DecodingError) in
      try Attributes(from: &decoder)
    }
    accessControl = try decoder.optional { decoder throws(DecodingError) in
      try decoder.accessControl()
    }
    (replacesSecret, store) = try StoreKind.choice(in: decoder.uint8())
  }
}

extension Query {
  func encode(into encoder: inout Encoder) {
    encoder.optional(itemClass) { encoder, itemClass in encoder.text(itemClass.rawValue) }
    encoder.list(groups) { encoder, group in encoder.string(group) }
    matching.encode(into: &encoder)
    encoder.uint64(after)
  }

  init(from decoder: inout Decoder) throws(DecodingError) {
    itemClass = try decoder.optional { decoder throws(DecodingError) in
      guard let itemClass = ItemClass(rawValue: try decoder.text(limit: 4)) else {
        throw .invalid
      }
      return itemClass
    }
    groups = try decoder.list(limit: Limits.groups) { decoder throws(DecodingError) in
      try decoder.string(limit: 1024)
    }
    matching = try Attributes(from: &decoder)
    after = try decoder.uint64()
  }
}
