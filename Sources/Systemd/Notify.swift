import CSystemd
import Glibc

/// Tells the service manager the state of this process; without a manager it does nothing.
public enum Notify {
  public static func ready(status: String = "") {
    send("READY=1" + (status.isEmpty ? "" : "\nSTATUS=\(status)"))
  }

  public static func stopping() { send("STOPPING=1") }

  /// The manager of a `notify-reload` unit wants the time of the monotonic clock with it.
  public static func reloading() {
    var time = timespec()
    // SAFETY: the out-parameter is valid.
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let microseconds = UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1000
    send("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
  }

  private static func send(_ state: String) {
    // SAFETY: the string lives for the length of the call.
    unsafe _ = sd_notify(0, state)
  }
}
