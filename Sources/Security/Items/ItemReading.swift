import SecretMemory
import WhorlKit
import Wire

/// Reads the secrets of items for one query: by one act of the person, if one can open them all.
struct ItemReading {
  let query: ItemQuery
  let keychain: Keychain

  func secrets(of rows: [ItemRow]) throws(ItemFailure) -> [SecretBytes] {
    let options = RequestOptions(
      allowsInteraction: query.interaction == .allow, reason: query.reason)
    do throws(KeychainError) {
      // More than one request can name shares what the person proves in a context.
      var context = query.context
      if context == nil, rows.count > Limits.items {
        let own = try AuthContext(keychain: keychain)
        context = own
      }
      var secrets: [SecretBytes] = []
      var rest = rows[...]
      while !rest.isEmpty {
        secrets += try keychain.read(
          rest.prefix(Limits.items).map(\.identity), options: options, context: context)
        rest = rest.dropFirst(Limits.items)
      }
      return secrets
    } catch { throw ItemFailure(error) }
  }

  /// Those rows that open without asking anybody.
  func openable(_ rows: [ItemRow]) throws(ItemFailure) -> [ItemRow] {
    var open: [ItemRow] = []
    for row in rows {
      if row.accessControl.isGated {
        // Only a context that the person satisfied before can open it.
        guard query.context != nil else { continue }
        do throws(ItemFailure) { _ = try secrets(of: [row]) } catch {
          if error.status == errSecInteractionNotAllowed { continue }
          throw error
        }
      }
      open.append(row)
    }
    return open
  }
}
