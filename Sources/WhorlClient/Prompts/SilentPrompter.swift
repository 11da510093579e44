import Wire

/// A prompter that shows nothing itself, and so takes no answer.
public protocol SilentPrompter: Prompter {}

extension SilentPrompter {
  public var isAvailable: Bool { false }
  public func queued(program: [UInt8], item: [UInt8]) {}
  public func show(_ prompt: Prompt) -> Bool { false }
  public func armed() {}
  public func notice(_ notice: Notice) {}
  public var descriptors: [Int32] { [] }
  public func input(at descriptor: Int32) -> PromptInput { .nothing }
  public func end() {}
}

/// Nobody is asked: requests that need a person fail at once.
public final class NoPrompter: SilentPrompter {
  public init() {}
}
