import CLinux
import Glibc

/// The terminal that controls this process, whatever its standard streams are.
public final class ControllingTerminal {
  private let owned: OwnedDescriptor
  private var saved: termios?

  public var descriptor: Int32 { owned.raw }

  /// nil when there is none.
  public init?() {
    // SAFETY: the text is a constant.
    let raw = unsafe open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard raw >= 0 else { return nil }
    owned = OwnedDescriptor(owning: raw)
  }

  deinit { restore() }

  /// What a key means while lines are edited by hand.
  public struct Keys: Sendable {
    public let erase: UInt8
    public let kill: UInt8
    public let end: UInt8
  }

  /// Turns off echo and line assembly, so that each byte arrives as it is typed. Keys that send
  /// signals keep doing so. Input typed before is discarded: it was not meant for a password.
  ///
  /// - Returns: the keys as this terminal has them; nil when it cannot be done, as in the
  ///   background.
  public func hideInput() -> Keys? {
    guard isForeground else { return nil }
    var settings = termios()
    // SAFETY: the out-parameter is valid for the length of the call.
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
    if saved == nil { saved = settings }
    let keys = Keys(
      erase: settings.c_cc.2, kill: settings.c_cc.3, end: settings.c_cc.4)
    settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON)
    settings.c_cc.5 = 0  // VTIME
    settings.c_cc.6 = 1  // VMIN
    // SAFETY: the structure is valid for the length of the call.
    guard unsafe tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 else { return nil }
    return keys
  }

  /// Gives the terminal back as it was. Keys typed and not read are discarded, so that the rest
  /// of a password does not reach the shell. In the background the terminal is another program's,
  /// and left alone.
  public func restore() {
    guard var settings = saved else { return }
    saved = nil
    guard isForeground else { return }
    // Should it be in the background a moment later, SIGTTOU would stop it with echo off.
    var set = sigset_t()
    var before = sigset_t()
    // SAFETY: all pointers are valid for the length of each call.
    unsafe sigemptyset(&set)
    unsafe sigaddset(&set, SIGTTOU)
    unsafe sigprocmask(SIG_BLOCK, &set, &before)
    unsafe tcsetattr(descriptor, TCSAFLUSH, &settings)
    unsafe sigprocmask(SIG_SETMASK, &before, nil)
  }

  /// Whether this process is in the terminal's foreground, so that it may ask there.
  public var isForeground: Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }
}
