import WhorlClient
import Wire

/// Reads `--store`.
enum StoreOption {
  /// nil where nothing is said.
  static func store(_ arguments: Arguments) throws(CommandError) -> StoreKind? {
    guard let text = try arguments.text("store") else { return nil }
    guard let store = StoreKind(word: text) else {
      let words = StoreKind.allCases.map(\.word).joined(separator: " or ")
      throw CommandError(usage: "--store is \(words)", arguments.command.usage)
    }
    return store
  }

  /// Where a new item goes: as said, as the one that it replaces, or as the user has settled.
  static func store(
    _ arguments: Arguments, replacing old: ItemRow?
  ) throws(CommandError) -> StoreKind {
    if let store = try store(arguments) ?? old?.store { return store }
    return try attempt { () throws(KeychainError) in try UserSettings.own().store }
  }
}

extension Option {
  static let store = Option(
    name: "store", value: "STORE",
    summary: "where the sealed item is kept: default, with whorld; or secret-service, in your own "
      + "keyring, where it opens by whorld alone",
    words: StoreKind.allCases.map(\.word))
}
