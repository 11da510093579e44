import Wire

/// Asks for each request with a prompter of its own, so that any number of threads may ask: on the
/// terminal, which shows one prompt at a time, and in a process that has none on the desktop. The
/// prompter of ``Keychain/shared``.
public final class PersonPrompting: Prompter {
  public init() {}

  public func forRequest() -> any Prompter {
    let terminal = TerminalPrompter()
    guard terminal.leavesToAgent, let desktop = DesktopPrompter() else { return terminal }
    return desktop
  }

  // No request is shown here.
  public var isAvailable: Bool { false }
  public func queued(program: [UInt8], item: [UInt8]) {}
  public func show(_ prompt: Prompt) -> Bool { false }
  public func armed() {}
  public func notice(_ notice: Notice) {}
  public var descriptors: [Int32] { [] }
  public func input(at descriptor: Int32) -> PromptInput { .nothing }
  public func end() {}
}
