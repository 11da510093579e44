import Foundation
import Glibc
import HostAuthentication
import Linux
import Systemd
import TemporaryFolder

/// A host of its own for one test: system bus, logind, polkit, fprintd with a virtual reader, the
/// worker and the daemon, all below one temporary folder and ended with it.
public final class PrivateHost {
  private let temporary: TemporaryFolder
  public var folder: String { temporary.path }
  public let loop: EpollLoop
  public private(set) var bus: HostBus
  private var children: [String: Child] = [:]
  var mounts: [String] = []
  var watches: [BusSlot] = []
  private var drivers = ""
  /// Whether fprintd compares the next touch.
  public internal(set) var isVerifying = false

  public var busAddress: String { "unix:path=\(folder)/bus" }
  public var workerSocket: String { "\(folder)/worker.sock" }
  public var readerSocket: String { "\(folder)/reader.sock" }
  public var services: String { "\(folder)/pam.d" }
  public var prints: String { "\(folder)/prints" }
  public var settings: WorkerSettings {
    WorkerSettings(socket: workerSocket, directory: services, limit: 20_000)
  }

  public struct Missing: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
  }

  public init() throws {
    temporary = try TemporaryFolder()
    let folder = temporary.path
    for name in ["pam.d", "prints"] {
      try FileManager.default.createDirectory(
        atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    // polkitd gives up root and must still reach the bus.
    chmod(folder, 0o755)
    try Self.configuration.replacingOccurrences(of: "@BUS@", with: "\(folder)/bus")
      .write(toFile: "\(folder)/bus.conf", atomically: true, encoding: .utf8)
    loop = try EpollLoop()
    bus = HostBus(loop: loop, address: "unix:path=\(folder)/none")
    try startBus()
    try startWorker()
    try installServices()
  }

  deinit {
    for child in children.values { child.end() }
    for mount in mounts { umount2(mount, Int32(MNT_DETACH)) }
  }

  /// Starts the bus, and again after it was stopped; what was on it is gone then.
  public func startBus() throws {
    unlink("\(folder)/bus")
    try start(
      "bus", "/usr/bin/dbus-daemon",
      ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--nosyslog"], "dbus")
    try wait("the bus") { Self.listens("\(folder)/bus") }
    bus = HostBus(loop: loop, address: busAddress)
  }

  public func startLogind() throws {
    try start(
      "logind", "/usr/bin/python3", ["-m", "dbusmock", "--system", "--template", "logind"],
      "python3-dbusmock")
    try waitForName("org.freedesktop.login1")
    try addSessionByProcess()
  }

  public func startPolkit() throws {
    try start("polkit", "/usr/lib/polkit-1/polkitd", ["--no-debug"], "polkitd")
    try waitForName("org.freedesktop.PolicyKit1")
  }

  public func startFingerprints(drivers: String = "virtual_device_storage") throws {
    self.drivers = drivers
    try startPolkit()
    try start("fprintd", "/usr/libexec/fprintd", ["-t"], "fprintd")
    try waitForName("net.reactivated.Fprint")
    isVerifying = false
    watchVerifications()
  }

  /// Sends a signal to one of the host's processes; SIGKILL and SIGTERM also wait for its end.
  public func stop(_ name: String, signal: Int32 = SIGKILL) {
    guard let child = children[name] else { return }
    kill(child.pid, signal)
    if signal == SIGKILL || signal == SIGTERM { _ = child.status(seconds: 10) }
  }

  /// Whether one of the host's parts is over, or ends within the time.
  public func hasEnded(_ name: String, within seconds: Double) -> Bool {
    children[name]?.status(seconds: seconds) != nil
  }

  /// The process of one of the host's parts.
  public func pid(_ name: String) -> pid_t? { children[name]?.pid }

  /// What one of the host's parts wrote to its standard error.
  public func log(_ name: String) -> String {
    (try? String(contentsOfFile: "\(folder)/\(name).log", encoding: .utf8)) ?? ""
  }

  /// Worker processes that run now.
  public func workers() -> [pid_t] {
    guard let listener = children["worker"]?.pid else { return [] }
    let text =
      (try? String(
        contentsOfFile: "/proc/\(listener)/task/\(listener)/children", encoding: .utf8)) ?? ""
    return text.split(separator: " ").compactMap { pid_t($0) }.filter { Child.runs($0) }
  }

  /// Serves the loop until `condition` holds.
  public func wait(
    _ what: String, seconds: Double = 10, until condition: () throws -> Bool
  ) throws {
    let end = Date().addingTimeInterval(seconds)
    while try !condition() {
      guard Date() < end else { throw Missing("waited in vain for \(what)") }
      try loop.turn(limit: 5)
    }
  }

  /// Serves the loop until the asynchronous call has given its value.
  public func answer<Value>(
    _ what: String, seconds: Double = 15, _ start: (@escaping (Value) -> Void) -> Void
  ) throws -> Value {
    var value: Value?
    start { value = $0 }
    try wait(what, seconds: seconds) { value != nil }
    return value!
  }

  func waitForName(_ name: String) throws {
    var owner: String?
    try wait(name) {
      owner = try answer(name) { (done: @escaping (String?) -> Void) in
        bus.nameOwner(of: name, limit: 1000) { done((try? $0.get()) ?? nil) }
      }
      return owner != nil
    }
  }

  /// Where the package's programs are: beside the tests, or where WHORL_TEST_PROGRAMS says.
  public static let programs =
    ProcessInfo.processInfo.environment["WHORL_TEST_PROGRAMS"]
    ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().path

  /// Starts the two helpers, and again after they were stopped.
  ///
  /// - Parameters: programs that become them.
  public func startWorker(prefix: [String] = [], readerPrefix: [String] = []) throws {
    for (name, prefix, program, socket) in [
      ("worker", prefix, "whorl-pam-worker", workerSocket),
      ("reader", readerPrefix, "whorl-print-reader", readerSocket),
    ] {
      unlink(socket)
      try start(
        name, "/usr/bin/systemd-socket-activate",
        [
          "--accept", "--inetd", "-l", socket, "-E", "DBUS_SYSTEM_BUS_ADDRESS=\(busAddress)",
          "-E", "LD_BIND_NOW=1",
        ] + Sanitizer.environment.flatMap { ["-E", "\($0)=\($1)"] } + prefix + [
          "\(Self.programs)/\(program)"
        ], "systemd")
      try wait(program) { Self.listens(socket) }
    }
  }

  func start(
    _ name: String, _ program: String, _ arguments: [String], _ package: String
  ) throws {
    guard access(program, X_OK) == 0 else {
      throw Missing("install the package \(package), which brings \(program)")
    }
    children[name]?.end()
    children[name] = try Child(
      [program] + arguments,
      environment: [
        "PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": busAddress,
        "STATE_DIRECTORY": prints, "FP_VIRTUAL_DEVICE_STORAGE": "\(folder)/device.sock",
        "FP_DRIVERS_WHITELIST": drivers,
        "FP_DRIVERS_ALLOWLIST": drivers,
        "G_MESSAGES_DEBUG": "all",
      ], error: "\(folder)/\(name).log")
  }

  /// The default policy of dbus-daemon's own system.conf, with the names of this host.
  private static let configuration = """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type><listen>unix:path=@BUS@</listen><auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/>
        <deny own="*"/><deny send_type="method_call"/>
        <allow send_type="signal"/>
        <allow send_requested_reply="true" send_type="method_return"/>
        <allow send_requested_reply="true" send_type="error"/>
        <allow receive_type="method_call"/><allow receive_type="method_return"/>
        <allow receive_type="error"/><allow receive_type="signal"/>
        <allow send_destination="org.freedesktop.DBus"/>
        <allow send_destination="net.reactivated.Fprint"/>
        <allow send_destination="org.freedesktop.PolicyKit1"/>
        <allow send_destination="org.freedesktop.login1"/>
      </policy>
      <policy user="root"><allow own="*"/><allow send_type="method_call"/></policy>
      <policy user="polkitd"><allow own="org.freedesktop.PolicyKit1"/><allow send_type="method_call"/></policy>
    </busconfig>
    """
}
