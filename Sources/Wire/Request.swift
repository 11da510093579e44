import AccessControl

/// What a client asks for. One request is answered by steps and then by one reply or failure.
public struct Request: Equatable, Sendable {
  /// The auth context of this connection whose evidence may serve; 0 for a one-shot context.
  public var context: UInt32
  /// Whether a person may be asked. Without it, a request that needs one fails at once.
  public var allowsInteraction: Bool
  /// Whether the authentication agent of the person's desktop is to ask, which can for items that
  /// want presence alone. Implies that a person may be asked.
  public var usesAgent: Bool
  /// Whether the caller shows a prompt itself where that agent cannot ask. Means nothing without.
  public var promptsWithoutAgent: Bool
  /// Seconds for which the caller lets this evidence serve its later requests, 0 to 300.
  public var reuse: UInt32
  /// Why, in the program's words; shown with the prompt as unverified.
  public var reason: [UInt8]
  public var operation: Operation

  public init(
    _ operation: Operation, context: UInt32 = 0, allowsInteraction: Bool = true,
    usesAgent: Bool = false, promptsWithoutAgent: Bool = false, reuse: UInt32 = 0,
    reason: [UInt8] = []
  ) {
    self.context = context
    self.allowsInteraction = allowsInteraction || usesAgent
    self.usesAgent = usesAgent
    self.promptsWithoutAgent = usesAgent && promptsWithoutAgent
    self.reuse = reuse
    self.reason = reason
    self.operation = operation
  }
}

/// The operations. Numbers on the wire are never used again; room is left for mac.
public enum Operation: Equatable, Sendable {
  /// Stores a new item; its secret is the frame before the request. An application password,
  /// when the access control wants one, is the frame before that.
  case add(NewItem, replacing: Bool)
  /// Releases the secrets of all these items, or of none.
  case read([ItemIdentity])
  case update(ItemIdentity, Changes)
  case delete(ItemIdentity)
  /// Binds an invalidated item to the prints as they are now.
  case rearm(ItemIdentity)
  case show(ItemIdentity)
  case list(Query)
  /// What can authenticate now, and which fingers.
  case status
  /// The newest records of the audit log, at most this many.
  case log(limit: UInt32)
  /// Treats the user's sessions as locked until the next unlock.
  case lock
  /// Evaluates an access control for its own sake, as `LAContext.evaluatePolicy` does.
  case evaluate(AccessControl)
  /// Whether an access control could be evaluated now; nobody is asked.
  case canEvaluate(AccessControl)
  /// The digest that stands for the enrolled prints.
  case domainState
  /// Makes a private key that never leaves the service, and stores it; the reply is its public
  /// half. The identity's application label (`klbl`) becomes a hash of that.
  case makeKey(NewItem, KeyKind)
  /// Signs with a stored private key; the reply is the signature.
  case sign(ItemIdentity, [UInt8])
  /// Agrees on a secret with another's public key; the reply is one secret.
  case agree(ItemIdentity, peer: [UInt8])
  /// What a login program says or asks of an account.
  case login(Login)
  /// What is to become of the login secret of the asking user; the reply is its state.
  case loginKeyring(LoginKeyring.Action)
  /// What an administrator asks of the whole host or of another user.
  case administer(Administration)
  /// Hands out some of a sealed form that is not placed yet, from this byte on.
  case form(ItemIdentity, offset: UInt32)
  /// The form of this digest is in the store outside: the service need not keep it any more.
  case placed(ItemIdentity, digest: [UInt8])
  /// The store outside has nothing of these ids any more: the service need not name them again.
  case discarded(ids: [[UInt8]])
}

/// An item about to be stored.
public struct NewItem: Equatable, Sendable {
  public var identity: ItemIdentity
  public var attributes: Attributes
  public var accessControl: AccessControl
  /// Where it is to be kept; nil for where the one that it replaces is, else with the service. A key
  /// that the service makes stays with it.
  public var store: StoreKind?

  public init(
    identity: ItemIdentity, attributes: Attributes, accessControl: AccessControl,
    store: StoreKind? = nil
  ) {
    self.store = store
    self.identity = identity
    self.attributes = attributes
    self.accessControl = accessControl
  }
}

/// What an update changes; nil leaves as it is.
public struct Changes: Equatable, Sendable {
  /// The new primary attributes and group; the class stays.
  public var identity: ItemIdentity?
  public var attributes: Attributes?
  public var accessControl: AccessControl?
  /// Where it is to be kept from now on.
  public var store: StoreKind?
  /// Whether the frame before the request is the new secret.
  public var replacesSecret: Bool

  public init(
    identity: ItemIdentity? = nil, attributes: Attributes? = nil,
    accessControl: AccessControl? = nil, replacesSecret: Bool = false, store: StoreKind? = nil
  ) {
    self.store = store
    self.identity = identity
    self.attributes = attributes
    self.accessControl = accessControl
    self.replacesSecret = replacesSecret
  }
}

/// Which items a list names: those that match every given part.
public struct Query: Equatable, Sendable {
  public var itemClass: ItemClass?
  /// Empty for every group.
  public var groups: [[UInt8]]
  /// Attributes to match exactly, primary ones included.
  public var matching: Attributes
  /// Continue after this row; 0 from the beginning.
  public var after: UInt64

  public init(
    itemClass: ItemClass? = nil, groups: [[UInt8]] = [], matching: Attributes = Attributes(),
    after: UInt64 = 0
  ) {
    self.itemClass = itemClass
    self.groups = groups
    self.matching = matching
    self.after = after
  }
}
