import CLinux
import Glibc

/// What a helper process does to itself before it touches anything of a user.
public enum Hardening {
  /// Moves the socket away from standard input, which becomes `/dev/null`, as standard output does:
  /// libraries write there, and a child of a module must not hold the socket open.
  /// - Returns: the socket, closed in children.
  public static func takeSocket() throws(SystemError) -> Int32 {
    guard BlockingStream.fillGaps() else { throw SystemError(code: errno, call: "open") }
    let socket = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard socket >= 0 else { throw SystemError(code: errno, call: "fcntl") }
    // SAFETY: the text is a constant.
    let null = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0, dup2(null, 0) == 0, dup2(null, 1) == 1 else {
      throw SystemError(code: errno, call: "dup2")
    }
    close(null)
    return socket
  }

  /// No core file, no ptrace and no /proc/PID/mem for the same uid; a program that takes the place
  /// of this one has them again.
  public static func forbidReading() throws(SystemError) {
    guard whorl_set_not_dumpable() == 0 else { throw SystemError(code: errno, call: "prctl") }
  }

  /// As ``forbidReading()``, and no core file for children either.
  public static func forbidDumps() throws(SystemError) {
    try forbidReading()
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    // SAFETY: the structure is read during the call only.
    guard unsafe setrlimit(__rlimit_resource_t(4), &limit) == 0 else {
      throw SystemError(code: errno, call: "setrlimit")
    }
  }

  /// A closed pipe, and a file that may grow no longer, are errors of the call that meets them, and
  /// end no process.
  public static func outliveFailedWrites() {
    for ignored in [SIGPIPE, SIGXFSZ] { _ = signal(ignored, SIG_IGN) }
  }

  /// Files that this process makes are its user's alone, also those that a library makes.
  public static func keepNewFilesPrivate() {
    _ = umask(0o077)
  }

  /// pam_fprintd reads SIGINT from a descriptor, which needs the signal blocked before; left to its
  /// default it would kill the process, ignored it would never arrive.
  public static func blockInterrupt() {
    var signals = sigset_t()
    // SAFETY: the set is ours and valid for each call.
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGINT)
    unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Has the calls of every library bound at the start, those between libraries too. A call that is
  /// bound when it is first made saves the vector registers, and with them pieces of a secret, on the
  /// stack.
  ///
  /// The dynamic linker takes the wish from the environment alone, so a process that was started
  /// without it starts once more, in its own place. Call it before anything else.
  public static func bindAtOnce() throws(SystemError) {
    let variable = "LD_BIND_NOW"
    // SAFETY: one thread, so nobody changes the environment meanwhile; the arguments end in a null
    // pointer and live as long as the process, as does the environment.
    if unsafe getenv(variable) != nil { return }
    unsafe setenv(variable, "1", 1)
    guard let path = OwnProcess.executable else {
      throw SystemError(code: ENOENT, call: "readlink")
    }
    unsafe execv(String(decoding: path, as: UTF8.self), CommandLine.unsafeArgv)
    throw SystemError(code: errno, call: "execv")
  }

  /// Keeps only the named variables and a fixed path and language.
  /// Call it while the process has one thread.
  public static func reduceEnvironment(keeping names: [String]) {
    // SAFETY: one thread, so nobody else reads the environment; texts are copied by `setenv`.
    let kept = names.compactMap { name in
      unsafe getenv(name).map { unsafe (name, String(cString: $0)) }
    }
    clearenv()
    for (name, value) in [
      ("PATH", "/usr/sbin:/usr/bin:/sbin:/bin"), ("LANG", "C.UTF-8"),
    ] + kept {
      unsafe setenv(name, value, 1)
    }
  }

  /// Becomes a user that owns nothing, for good. A process that is not root stays as it is.
  public static func dropRoot(to uid: UInt32 = 65_534) throws(SystemError) {
    guard geteuid() == 0 else { return }
    // For root these set the real, effective and saved ids at once.
    guard setgroups(0, nil) == 0, setgid(uid) == 0, setuid(uid) == 0 else {
      throw SystemError(code: errno, call: "setuid")
    }
  }

  /// Raises the number of descriptors to what the process is allowed at most.
  /// - Returns: that number.
  public static func raiseDescriptorLimit() -> Int {
    var limit = rlimit()
    // SAFETY: the structure is valid for the length of each call.
    guard unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0 else { return 1024 }
    limit.rlim_cur = limit.rlim_max
    _ = unsafe setrlimit(__rlimit_resource_t(7), &limit)
    return Int(clamping: limit.rlim_cur)
  }

  /// No new descriptor from here on, so no file can be opened.
  public static func forbidOpening() throws(SystemError) {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    // SAFETY: the structure is read during the call only.
    guard unsafe setrlimit(__rlimit_resource_t(7), &limit) == 0 else {
      throw SystemError(code: errno, call: "setrlimit")
    }
  }
}
