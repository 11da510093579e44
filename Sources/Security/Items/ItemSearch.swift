import WhorlKit
import Wire

/// The items that a query names.
struct ItemSearch {
  let query: ItemQuery
  let keychain: Keychain

  /// In the order in which they were stored. Asks nobody.
  func rows() throws(ItemFailure) -> [ItemRow] {
    if !query.persistentRefs.isEmpty {
      guard query.itemClass == nil || query.attributes.isEmpty else {
        throw ItemFailure(errSecParam)
      }
      var rows: [ItemRow] = []
      for ref in query.persistentRefs { rows += try self.rows(of: ref) }
      return rows
    }
    guard let itemClass = query.itemClass else { throw ItemFailure(errSecParam) }
    let attributes = wanted(itemClass)
    var matching = Attributes()
    for (name, value) in attributes
    where !value.isEmpty || itemClass.primaryAttributes.contains(name) { matching[name] = value }
    let asked = Query(itemClass: itemClass, groups: groups, matching: matching)
    do throws(KeychainError) {
      return try keychain.list(asked).filter { row in
        matches(row) && attributes.allSatisfy { name, value in self.value(name, of: row) == value }
      }
    } catch { throw ItemFailure(error) }
  }

  private var groups: [[UInt8]] { query.group.map { [$0] } ?? AccessGroups.own }

  private func rows(of ref: PersistentRef) throws(ItemFailure) -> [ItemRow] {
    guard ref.row > 0 else { return [] }
    let asked = Query(itemClass: ref.itemClass, groups: groups, after: ref.row - 1)
    do throws(KeychainError) {
      return try keychain.page(asked).filter { PersistentRef($0) == ref && matches($0) }
    } catch { throw ItemFailure(error) }
  }

  /// Attributes to match. Unless told otherwise, items that synchronize do not match.
  private func wanted(_ itemClass: ItemClass) -> [String: [UInt8]] {
    var wanted = query.attributes.mapValues(\.bytes)
    if let key = query.ref {
      wanted["klbl"] = key.label
      wanted["kcls"] = Array((key.isPrivate ? "1" : "0").utf8)
    }
    if wanted["sync"] == nil, !query.matchesAnySynchronizable { wanted["sync"] = [] }
    return wanted
  }

  private func value(_ name: String, of row: ItemRow) -> [UInt8] {
    row.identity[name] ?? row.attributes[name] ?? []
  }

  private func matches(_ row: ItemRow) -> Bool {
    if let control = query.control, control.control != row.accessControl { return false }
    if let accessibility = query.accessibility, accessibility != row.accessControl.accessibility {
      return false
    }
    return true
  }
}
