import Wire

/// Asks for each request with a ``TerminalPrompter`` of its own, so that any number of threads may
/// ask; the terminal shows one prompt at a time. The prompter of ``Keychain/shared``.
public final class TerminalPrompting: Prompter {
  public init() {}

  public func forRequest() -> any Prompter { TerminalPrompter() }

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
