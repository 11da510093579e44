/// The bounds of everything that comes from outside, in bytes unless said otherwise.
public enum Limits {
  /// A message other than a secret, its type byte included.
  public static let message = 64 * 1024
  /// One field of a message.
  public static let field = 16 * 1024
  /// One secret.
  public static let secret = 1024 * 1024
  /// One sealed form: a secret, all that is told of the item, and what seals them.
  public static let sealed = secret + message
  /// Bytes of a sealed form in one message, which may hold the attributes as well.
  public static let formPart = 24 * 1024
  /// Secrets in locked memory for one uid, over all its connections.
  public static let secretsPerUser = 4 * 1024 * 1024
  /// Secrets in locked memory in all.
  public static let secretsInAll = 16 * 1024 * 1024
  /// Items named by one request.
  public static let items = 64
  /// Access groups of one client.
  public static let groups = 32
  /// Attributes of one item beside the identity.
  public static let attributes = 64
  /// Rows of one list answer; the next page starts after the last row.
  public static let page = 256
}
