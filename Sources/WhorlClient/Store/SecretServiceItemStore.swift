import Linux
import Wire

/// Sealed items in the Secret Service of the user's session: GNOME Keyring, KWallet, KeePassXC.
///
/// A program of its own, `whorl-secret-service`, speaks with it, for one call each time, so that no
/// program that uses this library loads GLib or joins the bus.
public struct SecretServiceItemStore: OutsideStore {
  /// Milliseconds for a call: a person may have to unlock the keyring in that time.
  public static let limit: Int64 = 150_000
  /// Milliseconds for a call that asks nobody.
  public static let silentLimit: Int64 = 20_000

  private static let name = "whorl-secret-service"
  /// Bytes of the longest answer.
  private static let answerLimit = Limits.secretsPerUser + 2 * Limits.sealed

  /// The label of the collection that items are placed in, empty for the default one; nil for what
  /// the user has settled.
  public let collection: [UInt8]?

  public init(collection: [UInt8]? = nil) {
    self.collection = collection
  }

  public func prepare(_ wait: StoreWait) throws(KeyringProblem) {
    try expectDone(.prepare, wait)
  }

  public func fetch(
    _ forms: [SealedForm], _ wait: StoreWait
  ) throws(KeyringProblem) -> [[UInt8]] {
    guard case .forms(let found) = try call(.fetch(forms), wait) else { throw .noHelper }
    return found
  }

  public func place(_ item: PlacedItem, _ wait: StoreWait) throws(KeyringProblem) {
    try expectDone(.place(item), wait)
  }

  public func discard(
    ids: [[UInt8]], _ wait: StoreWait
  ) throws(KeyringProblem) -> [[UInt8]] {
    guard case .dropped(let gone) = try call(.discard(ids: ids), wait) else { throw .noHelper }
    return gone
  }

  private func expectDone(
    _ operation: KeyringCall.Operation, _ wait: StoreWait
  ) throws(KeyringProblem) {
    guard try call(operation, wait) == .done else { throw .noHelper }
  }

  private func call(
    _ operation: KeyringCall.Operation, _ wait: StoreWait
  ) throws(KeyringProblem) -> KeyringAnswer {
    // The environment names the bus, and whoever called chose it.
    guard !OwnProcess.isPrivileged else { throw .privileged }
    var label = collection ?? []
    if collection == nil {
      do { label = try UserSettings.own().collection } catch { throw .badSettings }
    }
    guard let path = HelperProcess.find(Self.name) else { throw .noHelper }
    let (status, output): (Int32, [UInt8])
    do throws(SystemError) {
      (status, output) = try ChildProgram.output(
        of: [path], input: KeyringCall(operation, collection: label, mayAsk: wait.mayAsk).encoded,
        limit: Self.answerLimit, milliseconds: wait.mayAsk ? Self.limit : Self.silentLimit,
        unless: wait.cancels)
    } catch { throw error.isTimeOut ? .timedOut : error.isCancel ? .cancelled : .noHelper }
    // An answer that is whole is one, also where this program hears of no child's end.
    guard status <= 0, let answer = try? KeyringAnswer(output) else { throw .noHelper }
    if case .problem(let problem) = answer { throw problem }
    return answer
  }
}
