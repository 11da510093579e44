import CLinux
import Glibc

/// Signals that arrive by reading a descriptor while this value lives; they are blocked meanwhile
/// for the thread that made it and for those it makes later.
///
/// The mask is restored when the value goes, on the thread that made it, and a signal that is
/// pending then takes its usual effect.
public final class SignalDescriptor {
  private let owned: OwnedDescriptor
  private var previous: sigset_t

  public var descriptor: Int32 { owned.raw }

  public static let stop = SIGTSTP
  public static let reload = SIGHUP

  /// What a signal asks of a program that has a prompt on its terminal.
  public enum Meaning: Sendable {
    case end
    case stop
    /// The process was stopped and goes on now.
    case goOn
  }

  /// What ends, stops or continues a command at its terminal. One that the parent chose to ignore
  /// (as `nohup` does) stays ignored. While SIGTTIN and SIGTTOU are blocked, the terminal answers a
  /// background program with an error in place of a stop.
  public static func command() throws(SystemError) -> SignalDescriptor {
    try SignalDescriptor(
      [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGTTIN, SIGTTOU].filter {
        !isIgnored($0)
      })
  }

  /// What a service answers to: SIGTERM and SIGINT to end, SIGHUP to read its configuration again.
  public static func service() throws(SystemError) -> SignalDescriptor {
    try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
  }

  private init(_ signals: [Int32]) throws(SystemError) {
    var set = sigset_t()
    var before = sigset_t()
    // SAFETY: the sets are valid for the length of each call.
    unsafe sigemptyset(&set)
    for signal in signals { unsafe sigaddset(&set, signal) }
    unsafe pthread_sigmask(SIG_BLOCK, &set, &before)
    previous = before
    let raw = unsafe signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard raw >= 0 else { throw SystemError(code: errno, call: "signalfd") }
    owned = OwnedDescriptor(owning: raw)
  }

  deinit {
    // SAFETY: the set is valid for the length of the call.
    unsafe pthread_sigmask(SIG_SETMASK, &previous, nil)
  }

  /// The next signal that arrived, or nil.
  public func next() -> Int32? {
    var information = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    // SAFETY: the structure has room for one record.
    let count = unsafe read(descriptor, &information, size)
    return count == size ? Int32(information.ssi_signo) : nil
  }

  /// What the next signal asks of a command, or nil.
  public func nextMeaning() -> Meaning? {
    while let signal = next() {
      switch signal {
      case SIGTSTP: return .stop
      case SIGCONT: return .goOn
      case SIGTTIN, SIGTTOU: continue
      default: return .end
      }
    }
    return nil
  }

  /// Stops this process as SIGTSTP would, and returns when it goes on.
  public func stopSelf() {
    kill(getpid(), SIGSTOP)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    // SAFETY: the out-parameter is valid; nothing is changed.
    unsafe sigaction(signal, nil, &action)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}
