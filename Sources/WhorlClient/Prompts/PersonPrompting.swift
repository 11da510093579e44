/// Asks for each request with a prompter of its own, so that any number of threads may ask: on the
/// terminal, which shows one prompt at a time, and in a process that has none on the desktop. The
/// prompter of ``Keychain/shared``.
public final class PersonPrompting: SilentPrompter {
  public init() {}

  public func forRequest() -> any Prompter {
    let terminal = TerminalPrompter()
    guard terminal.leavesToAgent, let desktop = DesktopPrompter() else { return terminal }
    return desktop
  }
}
