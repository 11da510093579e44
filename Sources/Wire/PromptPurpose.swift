/// What the act that a prompt asks for does.
public enum PromptPurpose: UInt8, CaseIterable, Sendable {
  /// Hands out the secrets of items.
  case release = 0
  /// Changes an item.
  case change = 1
  /// Binds an item to the fingerprints as they are now.
  case rearm = 2
  /// Uses a key, which stays where it is.
  case use = 3
  /// Something that the prompt has in the place of an item, or no more than to show presence.
  case other = 4
}

extension Operation {
  /// What somebody who is asked about it is asked for.
  public var purpose: PromptPurpose {
    switch self {
    case .read: .release
    case .update: .change
    case .rearm: .rearm
    case .sign, .agree: .use
    case .add, .delete, .show, .list, .status, .log, .lock, .evaluate, .canEvaluate, .domainState,
      .makeKey, .login, .loginKeyring, .administer, .form, .placed, .discarded:
      .other
    }
  }
}
