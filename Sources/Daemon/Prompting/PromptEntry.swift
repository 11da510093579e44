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
  /// A finger was accepted: a passcode still being checked counts neither way.
  var touchWon = false
  var passcode: (any Attempt)?
  /// Ends the stage or the prompt; cancelled with it.
  var timers: [TimerToken] = []

  init(_ request: RunningRequest, _ gathering: Gathering) {
    self.request = request
    self.gathering = gathering
  }

  /// The factors to ask for now: presence first, then the item's own password, so that a typed
  /// line always has one meaning.
  var factors: [Factor] {
    let presence = gathering.factors.filter { factor in
      factor != .applicationPassword && !(factor == .biometry && biometryEnded)
    }
    // Where a finger and a password are both needed, “touch or type” would be wrong.
    if presence.contains(.biometry), gathering.alternatives.allSatisfy({ $0.contains(.biometry) }) {
      return [.biometry]
    }
    return presence.isEmpty ? [.applicationPassword] : presence
  }

  /// Whether nothing but a passcode can serve any more, alone or with other factors.
  var needsPasscode: Bool {
    let left = gathering.alternatives.filter { !(biometryEnded && $0.contains(.biometry)) }
    return left.allSatisfy { $0.contains(.devicePasscode) }
  }

  var message: Prompt {
    Prompt(
      id: prompt, factors: factors, items: gathering.items.map { displayPrefix($0) },
      program: request.program, reason: request.pending.request.reason, reuse: gathering.reuse)
  }

  /// What is shown of it to those who wait behind.
  var headline: [UInt8] { displayPrefix(gathering.items.first ?? []) }
}
