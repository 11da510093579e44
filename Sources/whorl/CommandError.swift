import WhorlClient
import Wire

/// Why a command ends without success: one line of fact, further lines of advice, a status.
struct CommandError: Error {
  let status: Int32
  let message: String
  var advice: [String] = []

  init(status: Int32, _ message: String, advice: [String] = []) {
    self.status = status
    self.message = message
    self.advice = advice
  }

  /// A wrong use of the command line.
  init(usage message: String, _ usage: String) {
    self.init(status: FailureCode.badParameter.exitStatus, message, advice: [usage])
  }

  /// - Parameter group: of the items where there are several.
  init(_ error: KeychainError, about item: ItemIdentity? = nil, group: [UInt8]? = nil) {
    let detail = error.detail.isEmpty ? nil : error.detail
    // Without a service, the item is not what is amiss.
    let subject = error.problem == nil ? item?.name.bytes ?? detail : detail
    let prefix = subject.map { displayText($0) + ": " } ?? ""
    // What the failure is about, unless it is said already.
    let suffix = detail.flatMap { $0 == subject ? nil : ": " + displayText($0) } ?? ""
    self.init(
      status: error.code.exitStatus, prefix + Advice.fact(error) + suffix,
      advice: Advice.lines(error, about: item, group: group ?? item?.group))
  }
}

/// Runs calls of the library; what goes wrong is about `item`, or one of the group.
func attempt<Result>(
  about item: ItemIdentity? = nil, group: [UInt8]? = nil,
  _ body: () throws(KeychainError) -> Result
) throws(CommandError) -> Result {
  do { return try body() } catch { throw CommandError(error, about: item, group: group) }
}

/// The same for what administrators do.
func administer<Result>(
  _ body: () throws(KeychainError) -> Result
) throws(CommandError) -> Result {
  do { return try body() } catch {
    guard error.code == .interactionNotAllowed else { throw CommandError(error) }
    throw CommandError(
      status: error.code.exitStatus,
      "an administrator must be asked, and there is no polkit agent to do so",
      advice: ["Run it as root, or on a desktop with an agent; on a console, with pkttyagent(1)."])
  }
}

func quoted(_ bytes: [UInt8]) -> String { displayText(bytes) }
