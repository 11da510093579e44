import AccessControl
import SecretMemory
import Wire

/// A request that was frozen when it began: who, what, which versions. Dropping it releases
/// nothing.
public final class PendingOperation {
  /// Who asks, and on which connection. A reference, as is ``FrozenItem``.
  public final class Caller: Sendable {
    /// Unique over the life of the daemon.
    public let connection: UInt64
    public let subject: Subject

    public init(connection: UInt64, subject: Subject) {
      self.connection = connection
      self.subject = subject
    }
  }

  public let request: Request
  public let caller: Caller
  /// The secrets that came with the request, in order.
  private(set) var secrets: [SecretBytes]
  /// The rows as they were frozen, for the operations that open items.
  private(set) var frozen: [FrozenItem]
  /// Evidence gathered for this very request.
  var evidence: [Evidence] = []
  /// The stretched application passwords, by salt.
  var derived: [[UInt8]: SecretBytes] = [:]
  /// What a factor that was asked for could not be given for.
  var obstacle: BiometryObstacle?
  var wrongApplicationPasswords = 0
  private(set) var refreezes = 0
  /// Seconds of reuse that the last prompt said; what it did not say is not kept.
  var promptedReuse: UInt32 = 0
  /// Whether ``toldReuse`` is of the context alone.
  var reusesInContext: Bool { request.context != 0 && promptedReuse == 0 }
  /// What holds for a login.
  var login: LoginTerms?
  /// Seconds for which a prompt says that the act serves again: in a context it does so for whatever
  /// names the context, without a wish or an item's leave.
  var toldReuse: UInt32 { request.context == 0 ? promptedReuse : AccessControl.longestReuse }
  /// Where the caller stood when that was first needed; see ``Vault/place(of:)``.
  var place: EvidenceScopes.Place?
  /// Whether time passed since it was frozen.
  var waited = false

  /// A reference, since each step hands it on, and a copy takes a count for each of its parts.
  final class FrozenItem {
    let identity: ItemIdentity
    let encodedIdentity: [UInt8]
    let row: StoredItem
    let kept: KeptItem
    /// What opens; nil until it is brought from the store outside.
    var sealed: SealedItem?
    var header: SealedItem.Header { kept.header }

    init(identity: ItemIdentity, encodedIdentity: [UInt8], row: StoredItem, kept: KeptItem) {
      self.identity = identity
      self.encodedIdentity = encodedIdentity
      self.row = row
      self.kept = kept
      sealed = kept.sealed
    }
  }

  init(
    request: Request, caller: Caller, secrets: [SecretBytes] = [], frozen: [FrozenItem] = []
  ) {
    self.request = request
    self.caller = caller
    self.secrets = secrets
    self.frozen = frozen
  }

  /// Drops all that is secret or was brought: the request is over, also where somebody still holds
  /// it.
  public func forget() {
    secrets = []
    derived = [:]
    for item in frozen where item.kept.outside != nil { item.sealed = nil }
  }

  /// Takes the items as they are now, before anybody was asked.
  func refreeze(_ items: [FrozenItem]) {
    frozen = items
    refreezes += 1
  }

  var owner: Owner { Owner(user: caller.subject.user, name: caller.subject.name) }
}
