import SecretMemory

/// Holds the keys that stand above every store.
public protocol KeySource: AnyObject {
  /// 32 bytes, the same for the life of the installation.
  var hostKey: SecretBytes { get }

  /// 32 bytes, the only content of the rotatable slot: generation files are sealed under it.
  var shredKey: SecretBytes { get }

  /// Replaces the shred key. The old one is gone from the source when this returns; when it
  /// throws, the old one still stands.
  func rotateShredKey(to key: SecretBytes) throws(StorageError)
}
