/// The daemon's configuration.
///
/// Every path and limit has a default, so an empty file is a whole configuration. What a key is
/// called in the file, and what it may be, is in ``ConfigurationKey/all``.
public struct Configuration: Equatable, Sendable {
  public var socket = "/run/whorl/whorl.sock"
  public var state = "/var/lib/whorl"
  public var runtime = "/run/whorl-state"
  public var workerSocket = "/run/whorl-worker/worker.sock"
  public var printReaderSocket = "/run/whorl-worker/print-reader.sock"
  /// Empty for the system's own PAM folders.
  public var pamDirectory = ""
  public var prints = "/var/lib/fprint"
  public var busAddress = "unix:path=/run/dbus/system_bus_socket"
  public var passwd = "/etc/passwd"
  /// Tells with its change that a password may have been set or locked; only its times are looked
  /// at.
  public var shadow = "/etc/shadow"
  /// Names the console that is shown.
  public var activeTerminal = "/sys/class/tty/tty0/active"
  /// What holds where logind does not run.
  public var withoutLogind = WithoutLogind.refuse
  /// Who knows whether an account has a usable password.
  public var passcodes = Passcodes.shadow
  /// Whether a finger does only after the password was given since boot.
  public var passcodeAfterBoot = Switch.off
  /// Hours after which a finger does no more until the password is given; 0 for never.
  public var passcodeAfterHours: UInt32 = 0
  /// Fingers that do not match, one after another, before only the password does; 0 for never.
  public var passcodeAfterFailures: UInt32 = 5
  /// Bytes of sealed items for one user.
  public var quota: Int64 = 64 * 1024 * 1024
  public var connectionsPerUser = 64
  /// Requests of one user that wait for a person.
  public var promptsPerUser = 8
  /// Milliseconds.
  public var helloLimit: UInt64 = 2_000
  public var shownLimit: UInt64 = 2_000
  public var promptLimit: UInt64 = 30_000
  /// Milliseconds between the end of a verify and the next arming.
  public var rearmDelay: UInt64 = 1_000
  public var writeLimit: UInt64 = 10_000
  /// A person may have to unlock the keyring meanwhile.
  public var fetchLimit: UInt64 = 180_000
  /// For the check of a password that a login program handed over; it is dropped then.
  public var captureLimit: UInt64 = 30_000
  /// The worker's unit ends what lives longer than the most that may be set.
  public var workerLimit: UInt64 = 45_000

  public enum WithoutLogind: String, CaseIterable, Sendable {
    /// Nobody is at the reader, and every session is locked.
    case refuse
    /// Everyone is at the reader of an unlocked host: for hosts with one person and no logind.
    case allow
  }

  public enum Passcodes: String, CaseIterable, Sendable {
    /// The shadow database, and PAM for accounts that are not in it.
    case shadow
    /// PAM alone: for hosts whose passwords are kept elsewhere.
    case pam
  }

  public enum Switch: String, CaseIterable, Sendable {
    case off, on
  }

  public init() {}
}
