import AccessControl
import HostAuthentication
import SecretMemory
import Vault
import Wire

/// One request that waits for a person: its place in the user's queue, what it shows, and the
/// checks that run for it.
final class PromptEntry {
  enum Stage {
    /// Another request is at the head.
    case queued
    /// At the head; the client has not said yet that it shows the prompt.
    case showing
    /// The person sees it.
    case shown
  }

  let request: RunningRequest
  var gathering: Gathering
  var stage = Stage.queued
  var prompt: UInt32 = 0
  var passcodeTries = 0
  /// The last password typed was not tried: the user has to wait after wrong ones.
  var isUntried = false
  /// When the prompt ends at the latest: CLOCK_BOOTTIME, nanoseconds.
  var end: UInt64 = 0
  var finger: (any Attempt)?
  /// When the reader was armed: CLOCK_BOOTTIME, nanoseconds.
  var armedAt: UInt64 = 0
  var biometryEnded = false
  /// The prompt that a finger was accepted for: a passcode of it still being checked counts neither
  /// way.
  var wonPrompt: UInt32?
  /// A passcode that was typed while another check ran for the user.
  var held: SecretBytes?
  /// A passcode of this prompt is being checked.
  var isChecking = false
  /// The time to answer is over; only what was typed before is still checked.
  var isOverdue = false
  /// Ends the stage or the prompt; cancelled with it.
  var timers: [TimerToken] = []

  init(_ request: RunningRequest, _ gathering: Gathering) {
    self.request = request
    self.gathering = gathering
  }

  /// The name of the user whose finger is asked for.
  var owner: [UInt8] { request.connection.subject.name }

  /// The factors to ask for now: presence first, then the item's own password, so that a typed
  /// line always has one meaning.
  var factors: [Factor] {
    let presence = gathering.factors.filter { factor in
      factor != .applicationPassword && !(factor == .biometry && biometryEnded)
    }
    // Where a finger and a password are both needed, “touch or type” would be wrong.
    if presence.contains(.biometry), !canGoWithoutBiometry {
      return [.biometry]
    }
    return presence.isEmpty ? [.applicationPassword] : presence
  }

  /// Whether the request can be served without a finger.
  var canGoWithoutBiometry: Bool {
    gathering.alternatives.contains { !$0.contains(.biometry) }
  }

  /// Whether nothing but a passcode can serve any more, alone or with other factors.
  var needsPasscode: Bool {
    let left = gathering.alternatives.filter { !(biometryEnded && $0.contains(.biometry)) }
    return left.allSatisfy { $0.contains(.devicePasscode) }
  }

  var message: Prompt {
    Prompt(
      id: prompt, factors: factors, items: gathering.items.map { displayPrefix($0) },
      program: request.program, reason: request.pending.request.reason, reuse: gathering.reuse,
      reusesInContext: gathering.reusesInContext,
      purpose: request.pending.request.operation.purpose)
  }

  /// What is shown of it to those who wait behind.
  var headline: [UInt8] { displayPrefix(gathering.items.first ?? []) }
}
