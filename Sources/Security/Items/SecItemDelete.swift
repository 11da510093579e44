// swift-format-ignore-file: AlwaysUseLowerCamelCase

import WhorlKit

/// Deletes all items that match, also those that changed fingerprints have ended. Never asks.
@discardableResult
public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
  LastFailure.recording { () throws(ItemFailure) in
    let query = try ItemQuery(query)
    guard query.interaction != .skip, query.data == nil else { throw ItemFailure(errSecParam) }
    let keychain = Keychain.shared
    var rows = try ItemSearch(query: query, keychain: keychain).rows()
    switch query.limit {
    case .one: rows = Array(rows.prefix(1))
    case .count(let count): rows = Array(rows.prefix(count))
    case .all, nil: break
    }
    guard !rows.isEmpty else { throw ItemFailure(errSecItemNotFound) }
    for row in rows {
      do throws(KeychainError) { try keychain.delete(row.identity) } catch {
        // Somebody else was faster.
        guard error.code == .notFound else { throw ItemFailure(error) }
      }
    }
  }
}
