import CLinux
import Glibc

/// The signals a service answers to, as events of a descriptor.
public final class Signals {
  public enum Signal: Sendable {
    /// SIGTERM or SIGINT.
    case stop
    /// SIGHUP.
    case reload
  }

  private let owned: OwnedDescriptor

  public var descriptor: Int32 { owned.raw }

  /// Blocks the signals for this thread and those it makes, so that they arrive here alone. A
  /// closed pipe and a file at its limit are errors of the call from here on, and end nothing.
  public init() throws(SystemError) {
    var set = sigset_t()
    // SAFETY: the set is valid for the length of each call.
    unsafe sigemptyset(&set)
    for signal in [SIGTERM, SIGINT, SIGHUP] { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    for ignored in [SIGPIPE, SIGXFSZ] { _ = signal(ignored, SIG_IGN) }
    let raw = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError(code: errno, call: "signalfd") }
    owned = OwnedDescriptor(owning: raw)
  }

  /// What arrived since the last call.
  public func drain() -> [Signal] {
    var signals: [Signal] = []
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    // SAFETY: the buffer has the size given.
    while unsafe read(owned.raw, &information, size) == size {
      signals.append(information.ssi_signo == UInt32(SIGHUP) ? .reload : .stop)
    }
    return signals
  }
}
