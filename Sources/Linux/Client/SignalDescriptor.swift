import CLinux
import Glibc

/// Signals that arrive by reading a descriptor while this value lives; they are blocked meanwhile.
///
/// For a program of one thread. The mask is restored when the value goes, and a signal that is
/// pending then takes its usual effect.
public final class SignalDescriptor {
  private let owned: OwnedDescriptor
  private var previous: sigset_t

  public var descriptor: Int32 { owned.raw }

  /// What ends, stops or continues a program at its terminal. While SIGTTIN and SIGTTOU are
  /// blocked, the terminal answers a background program with an error in place of a stop.
  public static let interrupting: [Int32] = [
    SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGTTIN, SIGTTOU,
  ]

  /// What a signal asks of a program that has a prompt on its terminal.
  public enum Meaning: Sendable {
    case end
    case stop
    /// The process was stopped and goes on now.
    case goOn
  }

  public init(_ signals: [Int32] = SignalDescriptor.interrupting) throws(SystemError) {
    var set = sigset_t()
    var before = sigset_t()
    // SAFETY: the sets are valid for the length of each call.
    unsafe sigemptyset(&set)
    for signal in signals where !Self.isIgnored(signal) {
      unsafe sigaddset(&set, signal)
    }
    unsafe sigprocmask(SIG_BLOCK, &set, &before)
    previous = before
    let raw = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError(code: errno, call: "signalfd") }
    owned = OwnedDescriptor(owning: raw)
  }

  deinit {
    // SAFETY: the set is valid for the length of the call.
    unsafe sigprocmask(SIG_SETMASK, &previous, nil)
  }

  /// The next signal that arrived, or nil.
  public func next() -> Meaning? {
    while true {
      var info = signalfd_siginfo()
      let size = MemoryLayout<signalfd_siginfo>.size
      // SAFETY: the structure has room for one record.
      guard unsafe read(descriptor, &info, size) == size else { return nil }
      switch Int32(info.ssi_signo) {
      case SIGTSTP: return .stop
      case SIGCONT: return .goOn
      case SIGTTIN, SIGTTOU: continue
      default: return .end
      }
    }
  }

  /// Stops this process as SIGTSTP would, and returns when it goes on.
  public func stopSelf() {
    kill(getpid(), SIGSTOP)
  }

  /// A signal that the parent chose to ignore (as `nohup` does) stays ignored.
  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // SAFETY: the out-parameter is valid; nothing is changed.
    unsafe sigaction(signal, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
