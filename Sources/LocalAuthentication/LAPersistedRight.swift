import WhorlKit
import Wire

/// A right that was saved, with a key and a secret that only its authorization opens.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  // Unchecked as its superclass is; it adds constants alone.
  private let item: ItemIdentity
  private let keyRow: ItemIdentity
  private let point: [UInt8]

  init(
    _ requirement: LAAuthenticationRequirement, item: ItemIdentity, key: ItemIdentity,
    point: [UInt8]
  ) {
    self.item = item
    keyRow = key
    self.point = point
    super.init(requirement: requirement)
  }

  /// A private key that the service made when the right was saved, and that never leaves it.
  public var key: LAPrivateKey { LAPrivateKey(self) }

  /// What was saved with the right.
  public var secret: LASecret { LASecret(self) }

  /// What the right keeps says itself whether its fingers are gone.
  override func requireCurrentSet() throws {
    do throws(KeychainError) {
      guard try !Keychain.shared.show(item).row.isInvalidated else {
        throw KeychainError(.invalidated)
      }
    } catch { throw error.authorization }
  }

  /// Opens by what the authorization proved, and asks nobody.
  func read() throws -> Data {
    do throws(KeychainError) {
      let row = try Keychain.shared.show(item).row
      guard row.attributes[LARightStore.mark] != nil else { throw KeychainError(.notFound) }
      let read = try Keychain.shared.read(
        item, options: RequestOptions(allowsInteraction: false), context: try context.authContext())
      return Data(read)
    } catch { throw error.authorization }
  }

  /// The key, to be used by what the authorization proved.
  func secKey() throws -> SecKey {
    do throws(KeychainError) {
      return SecKey(
        .p256, publicBytes: point,
        half: .stored(
          keyRow, SecKey.StoredUse(context: try context.authContext(), allowsInteraction: false)))
    } catch { throw error.authorization }
  }

  var publicKey: SecKey { SecKey(.p256, publicBytes: point) }

  var identifier: [UInt8] { item.primary[0] }
}
