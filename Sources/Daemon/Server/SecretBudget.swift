import Wire

/// How much memory the secrets of each user, and of all, may take while they are on their way; or
/// sealed forms, which have a budget of their own. Taken when the length is known, given back when
/// it is done. What the other users may take leaves root its share.
final class SecretBudget {
  private var total = 0
  private var users: [UInt32: Int] = [:]

  /// - Returns: whether there was room; only then give it back.
  func take(_ bytes: Int, _ user: UInt32) -> Bool {
    let own = users[user, default: 0]
    let reserved = user == 0 ? 0 : Limits.secretsPerUser - users[0, default: 0]
    guard own + bytes <= Limits.secretsPerUser, total + bytes <= Limits.secretsInAll - reserved
    else { return false }
    users[user] = own + bytes
    total += bytes
    return true
  }

  func giveBack(_ bytes: Int, _ user: UInt32) {
    total -= bytes
    let rest = users[user, default: 0] - bytes
    users[user] = rest > 0 ? rest : nil
  }
}
