import CLinux
import Glibc

/// A program that serves this process over a socket, which is its standard input and output.
public final class HelperProcess {
  public let socket: StreamSocket
  private let process: pid_t
  private let leadsGroup: Bool
  private var isOver = false

  /// Where a helper of this product is: in this executable's `../libexec/whorl`, or beside this
  /// executable, where both were built, so that it is of the same version; else where packages put
  /// it. Never by PATH or a variable, which others may set.
  ///
  /// - Returns: nil where there is none, or somebody else could have put it where it is. The first
  ///   that is there counts: another version in its place would hide what is wrong.
  public static func find(_ name: String) -> [UInt8]? {
    var folders = ["/usr/libexec/whorl/", "/usr/local/libexec/whorl/"].map { Array($0.utf8) }
    if let own = OwnProcess.executable, let end = own.lastIndex(of: UInt8(ascii: "/")) {
      let folder = Array(own[...end])
      folders = [folder + Array("../libexec/whorl/".utf8), folder] + folders
    }
    for folder in folders {
      let path = folder + Array(name.utf8)
      guard FileFacts(path: path) != nil else { continue }
      let isUsable = isOurs(folder, .directory) && isOurs(path, .regular) && isExecutable(path)
      return isUsable ? path : nil
    }
    return nil
  }

  /// Whether it is root's or this user's, and nobody else may write to it.
  private static func isOurs(_ path: [UInt8], _ kind: FileFacts.Kind) -> Bool {
    guard let facts = FileFacts(path: path), facts.kind == kind else { return false }
    return [0, OwnProcess.user].contains(facts.owner) && facts.mode & 0o022 == 0
  }

  private static func isExecutable(_ path: [UInt8]) -> Bool {
    // SAFETY: the array ends in the zero added here.
    unsafe (path.map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
      unsafe access($0.baseAddress!, X_OK) == 0
    }
  }

  /// Starts it, in a process group of its own where it may start others.
  ///
  /// - Parameters:
  ///   - program: its path, or a name to be found in PATH.
  ///   - leadsGroup: whether what it starts ends with it.
  public init(_ program: [UInt8], leadsGroup: Bool = true) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the array has room for both ends.
    guard
      unsafe socketpair(
        AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw SystemError(code: errno, call: "socketpair") }
    socket = StreamSocket(OwnedDescriptor(owning: ends[0]))
    let other = OwnedDescriptor(owning: ends[1])
    process = try Self.start(program, other.raw, leadsGroup)
    self.leadsGroup = leadsGroup
    extendLifetime(other)
  }

  deinit { end() }

  /// Ends it. One that reads its socket goes by itself; whatever is left then is killed.
  ///
  /// - Parameters:
  ///   - signal: sent at once to one that does not look at its socket.
  ///   - patience: milliseconds for its own way out.
  public func end(signal: Int32? = nil, patience: Int64 = 1000) {
    guard !isOver else { return }
    isOver = true
    socket.shutDown()
    if let signal { kill(process, signal) }
    let deadline = SteadyClock.milliseconds() + patience
    while !isReaped() {
      guard SteadyClock.milliseconds() < deadline else {
        kill(leadsGroup ? -process : process, SIGKILL)
        while waitpid(process, nil, 0) < 0, errno == EINTR {}
        return
      }
      _ = Readiness.wait([], milliseconds: 2)
    }
  }

  /// Where the process lets the kernel reap its children, there is none to wait for.
  private func isReaped() -> Bool {
    let result = waitpid(process, nil, WNOHANG)
    return result == process || (result < 0 && errno == ECHILD)
  }

  private static func start(
    _ program: [UInt8], _ socket: Int32, _ leadsGroup: Bool
  ) throws(SystemError) -> pid_t {
    var process: pid_t = 0
    var actions = unsafe posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    var none = sigset_t()
    var all = sigset_t()
    // SAFETY: actions and attributes are made before and freed after their use, and the sets are
    // ours; the argument is a copy that ends in a zero and lives until it is freed below.
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, socket, 1)
    // Toolkits say much there that is not this program's.
    unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    unsafe whorl_close_from_3(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(leadsGroup ? flags | POSIX_SPAWN_SETPGROUP : flags))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
      strdup(program.map { CChar(bitPattern: $0) } + [0]), nil,
    ]
    defer { unsafe free(arguments[0]) }
    let status = unsafe posix_spawnp(
      &process, arguments[0]!, &actions, &attributes, &arguments, whorl_environment())
    guard status == 0 else { throw SystemError(code: status, call: "posix_spawnp") }
    return process
  }
}
