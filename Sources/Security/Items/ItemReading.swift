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

  /// The keys that items hold. Those that the service made stay there, and ask when they are used.
  func keys(of rows: [ItemRow]) throws(ItemFailure) -> [SecKey] {
    var keys: [SecKey] = []
    for row in rows {
      guard
        let kind = KeyKind(
          keyType: row.identity["type"].map { String(decoding: $0, as: UTF8.self) })
      else { throw ItemFailure(errSecInvalidItemRef) }
      if let point = row.attributes[KeyKind.publicAttribute] {
        let use = SecKey.StoredUse(
          context: query.context, reason: query.reason,
          allowsInteraction: query.interaction == .allow,
          isExtractable: !row.accessControl.guardsPrivateKeyUsage)
        keys.append(SecKey(kind, publicBytes: point, half: .stored(row.identity, use)))
      } else {
        let secret = try secrets(of: [row])[0]
        keys.append(
          row.identity["kcls"] == Array("0".utf8)
            ? try SecKey(publicBytes: Array(Data(secret)), kind)
            : try SecKey(privateBytes: secret, kind))
      }
    }
    return keys
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
