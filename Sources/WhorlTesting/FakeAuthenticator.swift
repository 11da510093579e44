import AccessControl
import Wire

/// The person and the host's authenticators, as a script: the acts are taken in turn while
/// requests ask, at once and on the caller's thread.
///
/// An act that nobody asks for, such as a touch while no reader is armed, does nothing and is
/// over. A request that still waits when the script is over has timed out.
public final class FakeAuthenticator {
  /// What happens next.
  public enum Act {
    /// The person gives this factor, and it is right.
    case approve(Factor = .biometry)
    /// The person gives this factor, and it is wrong; the prompt goes on until the third time.
    case deny(Factor = .biometry)
    /// The person types an item's own password, right or wrong.
    case applicationPassword(String)
    case cancel
    /// The sensor takes no more fingers for now. A passcode still counts.
    case lockout
    /// Nobody answers the prompt.
    case timeout
    /// Fingers cannot be asked for any more. A passcode still counts.
    case unavailable(BiometryObstacle)
    /// Time passes, in seconds. Nothing waits for it; a prompt is over after 30.
    case delay(seconds: UInt64)
    /// Anything else, such as a change of the enrolled prints between two steps.
    case meanwhile(() -> Void)
  }

  /// Every prompt that was shown, in order.
  public private(set) var prompts: [Prompt] = []
  private var acts: ArraySlice<Act>

  public init(_ acts: Act...) {
    self.acts = acts[...]
  }

  /// Adds to the script.
  public func then(_ acts: Act...) {
    self.acts += acts
  }

  /// Whether every act was taken.
  public var isDone: Bool { acts.isEmpty }

  func show(_ prompt: Prompt) {
    prompts.append(prompt)
  }

  func next() -> Act? {
    acts.popFirst()
  }
}
