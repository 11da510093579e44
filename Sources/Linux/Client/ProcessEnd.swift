import Glibc

/// The end of this process.
public enum ProcessEnd {
  /// Ends the process with a status, without the handlers of libraries: nothing is buffered.
  public static func exit(_ status: Int32) -> Never {
    _exit(status)
  }
}
