import Wire

/// A store of sealed items that this process's user reaches and the service never. What is in it
/// opens by the service alone, so it need not be trusted: it can lose an item, and no more.
///
/// Every call ends within a time of its own. Called on any thread.
public protocol OutsideStore: Sendable {
  /// Whether an item could be placed now. Where it can, the store lets the person unlock it.
  func prepare(_ wait: StoreWait) throws(KeyringProblem)

  /// The forms in order.
  func fetch(_ forms: [SealedForm], _ wait: StoreWait) throws(KeyringProblem) -> [[UInt8]]

  /// Keeps the item, so that it is there when this returns, and drops earlier forms of the same id: those
  /// whose ``Wire/SealedForm/version(of:)`` is lower.
  func place(_ item: PlacedItem, _ wait: StoreWait) throws(KeyringProblem)

  /// Drops everything of these ids. Nothing opens it any more, so what cannot be dropped may stay.
  ///
  /// - Returns: those of which nothing is left.
  func discard(ids: [[UInt8]], _ wait: StoreWait) throws(KeyringProblem) -> [[UInt8]]
}

/// How a call of an ``OutsideStore`` may wait.
public struct StoreWait: Sendable {
  /// Whether the person may be asked to unlock the store.
  public var mayAsk: Bool
  /// Descriptors that end the call as cancelled when one of them can be read.
  public var cancels: [Int32]

  public init(mayAsk: Bool = true, cancels: [Int32] = []) {
    self.mayAsk = mayAsk
    self.cancels = cancels
  }
}

/// An item as a store outside gets it.
public struct PlacedItem: Equatable, Sendable {
  public var identity: ItemIdentity
  public var attributes: Attributes
  public var form: SealedForm
  /// The sealed form itself.
  public var bytes: [UInt8]

  public init(
    identity: ItemIdentity, attributes: Attributes, form: SealedForm, bytes: [UInt8]
  ) {
    self.identity = identity
    self.attributes = attributes
    self.form = form
    self.bytes = bytes
  }
}

/// What the store outside is to be told of after a request. An object, since most requests leave
/// nothing, and to drop two arrays the runtime puts their types together first.
final class StoreWork {
  var unplaced: [ItemIdentity] = []
  var surplus: [[UInt8]] = []

  var isEmpty: Bool { unplaced.isEmpty && surplus.isEmpty }
}
