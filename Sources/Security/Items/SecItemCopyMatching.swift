// swift-format-ignore-file: AlwaysUseLowerCamelCase

import SecretMemory
import WhorlKit
import Wire

/// Finds items, and returns what the query asks for: data, a dictionary, a persistent reference, or
/// an array of them. One item unless `kSecMatchLimit` says otherwise.
///
/// Blocks its thread while a person is asked. Attributes alone are free.
@discardableResult
public func SecItemCopyMatching(
  _ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?
) -> OSStatus {
  LastFailure.recording { () throws(ItemFailure) in
    let object = try copyMatching(try ItemQuery(query))
    // SAFETY: the caller's variable is valid for the length of the call, by Swift's rule for `&`.
    if let object { unsafe result?.pointee = object }
  }
}

private func copyMatching(_ query: ItemQuery) throws(ItemFailure) -> CFTypeRef? {
  guard query.data == nil, !query.returns.contains(.ref) || query.itemClass == .key else {
    throw ItemFailure(errSecParam)
  }
  let keychain = Keychain.shared
  let search = ItemSearch(query: query, keychain: keychain)
  let reading = ItemReading(query: query, keychain: keychain)
  let limit = query.limit ?? .one
  // An item may go between the search and the read; then what is left is looked for again.
  var failure = ItemFailure(errSecItemNotFound)
  for _ in 0..<3 {
    var rows = try search.rows()
    if rows.contains(where: \.isInvalidated) {
      failure = ItemFailure(errSecItemNotFound, KeychainError(.invalidated))
      rows.removeAll(where: \.isInvalidated)
    }
    if query.interaction == .skip { rows = try reading.openable(rows) }
    switch limit {
    case .one: rows = Array(rows.prefix(1))
    case .count(let count): rows = Array(rows.prefix(count))
    case .all: break
    }
    guard !rows.isEmpty else { throw failure }
    let returnsData = query.returns.contains(.data)
    do throws(ItemFailure) {
      // The existence of a gated item is free here, but code asks for it by a query that fails
      // where a person would be needed, and reads that status as “exists”.
      let isProbe = query.interaction == .fail && rows.contains(where: \.accessControl.isGated)
      guard !isProbe || query.context != nil else { throw ItemFailure(errSecInteractionNotAllowed) }
      let secrets = returnsData || isProbe ? try reading.secrets(of: rows) : []
      let keys = query.returns.contains(.ref) ? try reading.keys(of: rows) : []
      return ItemResult(returns: query.returns)
        .object(of: rows, returnsData ? secrets : [], keys: keys, limit: limit)
    } catch {
      guard error.status == errSecItemNotFound else { throw error }
      failure = error
    }
  }
  throw failure
}
