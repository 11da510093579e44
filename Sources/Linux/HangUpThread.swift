import CLinux
import Glibc

/// Ends the whole process when the peer of a socket goes away, whatever the other threads do.
public enum HangUpThread {
  /// `POLLRDHUP`, which glibc shows only to those who define `_GNU_SOURCE`.
  private static let peerClosed: Int16 = 0x2000

  /// What a module gets to end on its own before the process is ended for it.
  private static let grace: UInt32 = 2_000_000

  /// Starts the thread. It reads nothing, so it takes no byte from the one who serves the socket.
  ///
  /// A module that takes SIGINT from a signalfd is told first and may give back what it holds:
  /// fprintd keeps the claim of a client that vanishes while it stops a verification. For that the
  /// signal must be blocked.
  public static func exitProcess(onHangUpOf descriptor: Int32) throws(SystemError) {
    var thread = pthread_t()
    // SAFETY: the argument is a number in the shape of a pointer and is never followed.
    let argument = unsafe UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1)
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        HangUpThread.wait(Int32(Int(bitPattern: argument) - 1))
      }, argument)
    guard result == 0 else { throw SystemError(code: result, call: "pthread_create") }
    pthread_detach(thread)
  }

  private static func wait(_ descriptor: Int32) -> Never {
    // A handler that a module installed must not hold this thread too.
    var signals = sigset_t()
    // SAFETY: the set is ours and valid for both calls.
    unsafe sigfillset(&signals)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    while true {
      var poller = pollfd(fd: descriptor, events: peerClosed, revents: 0)
      // SAFETY: one valid structure.
      let count = unsafe poll(&poller, 1, -1)
      if count > 0 || (count < 0 && errno != EINTR) {
        kill(getpid(), SIGINT)
        usleep(grace)
        // Not `exit`: handlers of a module that hangs must not run.
        _exit(0)
      }
    }
  }
}
