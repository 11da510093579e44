import Crypto
import SecretMemory

/// The cryptographic steps of the engine, with its errors.
enum Sealing {
  static let keyCount = 32

  static func seal(
    _ secret: SecretBytes, _ key: SecretBytes, _ associatedData: [UInt8]
  ) throws(VaultError) -> [UInt8] {
    do { return try AEAD.seal(secret, key: key, associatedData: associatedData) } catch {
      throw VaultError(error)
    }
  }

  static func open(
    _ box: [UInt8], _ key: SecretBytes, _ associatedData: [UInt8]
  ) throws(VaultError) -> SecretBytes {
    do { return try AEAD.open(box, key: key, associatedData: associatedData) } catch {
      throw VaultError(error)
    }
  }

  /// A key below `key`, for what `label` and `message` name.
  static func derive(
    _ key: SecretBytes, _ label: String, _ message: [UInt8]
  ) throws(VaultError) -> SecretBytes {
    do { return try KeyDerivation.derive(key: key, label: label, message: message) } catch {
      throw VaultError(error)
    }
  }

  /// A key that needs both `key` and `secret`.
  static func combine(
    _ key: SecretBytes, _ label: String, _ secret: SecretBytes
  ) throws(VaultError) -> SecretBytes {
    do { return try KeyDerivation.derive(key: key, label: label, secret: secret) } catch {
      throw VaultError(error)
    }
  }

  static func randomKey() throws(VaultError) -> SecretBytes {
    do { return try Random.secret(keyCount) } catch { throw VaultError(error) }
  }
}
