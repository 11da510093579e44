import AccessControl
import Linux
import SecretMemory
import WhorlClient
import Wire

/// The keychain as the command line uses it.
enum Client {
  /// For commands that may ask: on the terminal, and without one on the desktop, unless
  /// `--no-interaction` says not to.
  static func keychain(_ arguments: Arguments) -> Keychain {
    keep(
      Keychain(
        prompter: arguments.has("no-interaction") ? NoPrompter() : PersonPrompting(),
        groups: [arguments.group]))
  }

  /// For commands that never ask.
  static func silentKeychain(_ arguments: Arguments) -> Keychain {
    keep(Keychain(groups: [arguments.group]))
  }

  /// Until the process ends: the kernel closes the connection then, and the service need not hear
  /// of it while the command still has to end.
  private static func keep(_ keychain: Keychain) -> Keychain {
    Keychain.shared = keychain
    return keychain
  }

  static func options(_ arguments: Arguments) throws(CommandError) -> RequestOptions {
    let reason = arguments.value("reason") ?? []
    guard reason.count <= 1024 else {
      throw CommandError(
        usage: "--reason takes 1024 bytes at most", arguments.command.usage)
    }
    // What an item allows decides about reuse; the prompt says it.
    return RequestOptions(
      allowsInteraction: !arguments.has("no-interaction"), reason: reason,
      reuse: AccessControl.longestReuse)
  }
}
