import CLinux
import Glibc

/// Another program, run to its end for what it writes.
public enum ChildProgram {
  /// Runs a program found in PATH with this process's standard error.
  ///
  /// - Parameters:
  ///   - input: what its standard input holds.
  ///   - limit: how many bytes it may write; more end it with `EFBIG`.
  ///   - milliseconds: how long it may take, nil for ever; after that it ends with `ETIMEDOUT`.
  ///   - cancels: descriptors that end it with `ECANCELED` when one of them can be read.
  /// - Returns: its exit status, 128 and the signal's number for one that a signal ended, -1 where
  ///   this process is told of no child's end, as with SIGCHLD ignored; and what it wrote to its
  ///   standard output.
  public static func output(
    of arguments: [[UInt8]], input: [UInt8] = [], limit: Int, milliseconds: Int64? = nil,
    unless cancels: [Int32] = []
  ) throws(SystemError) -> (status: Int32, bytes: [UInt8]) {
    let end = milliseconds.map { SteadyClock.milliseconds() + $0 }
    let (process, reading) = try startReading(arguments, input)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    var problem: Int32?
    while true {
      let left = end.map { $0 - SteadyClock.milliseconds() }
      let wait = left.map { Int32(clamping: max(0, $0)) } ?? -1
      let ready = Readiness.wait([reading.raw] + cancels, milliseconds: wait)
      if ready.contains(where: { $0 > 0 }) { problem = ECANCELED }
      if ready.isEmpty, let end, SteadyClock.milliseconds() >= end { problem = ETIMEDOUT }
      if problem != nil {
        kill(process, SIGKILL)
        break
      }
      guard !ready.isEmpty else { continue }
      var span = buffer.mutableSpan
      guard let count = BlockingStream(reading.raw).read(into: &span), count > 0 else { break }
      bytes += buffer[..<count]
      if bytes.count > limit {
        problem = EFBIG
        kill(process, SIGKILL)
        break
      }
    }
    let status = try wait(process)
    if let problem { throw SystemError(code: problem, call: "read") }
    return (status, bytes)
  }

  /// The same, with what it writes straight into the caller's memory, as a secret needs it.
  ///
  /// - Returns: its exit status and how many bytes it wrote; more than there is room for end it with
  ///   `EFBIG`.
  public static func output(
    of arguments: [[UInt8]], into buffer: inout MutableSpan<UInt8>
  ) throws(SystemError) -> (status: Int32, count: Int) {
    let (process, reading) = try startReading(arguments, [])
    var done = 0
    while done < buffer.count,
      let count = BlockingStream(reading.raw).read(into: &buffer, from: done), count > 0
    {
      done += count
    }
    if done == buffer.count { kill(process, SIGKILL) }
    let status = try wait(process)
    guard done < buffer.count else { throw SystemError(code: EFBIG, call: "read") }
    return (status, done)
  }

  /// Its exit status, or 128 and the number of the signal that ended it; -1 where nobody is told, as
  /// with SIGCHLD ignored.
  private static func wait(_ process: pid_t) throws(SystemError) -> Int32 {
    var status: Int32 = 0
    // SAFETY: the out-parameter is valid.
    while unsafe waitpid(process, &status, 0) < 0 {
      if errno == ECHILD { return -1 }
      guard errno == EINTR else { throw SystemError(code: errno, call: "waitpid") }
    }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }

  /// Starts a program whose output is read from the descriptor.
  private static func startReading(
    _ arguments: [[UInt8]], _ input: [UInt8]
  ) throws(SystemError) -> (process: pid_t, reading: OwnedDescriptor) {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the array has room for both ends.
    guard unsafe pipe(&ends) == 0 else { throw SystemError(code: errno, call: "pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reading = OwnedDescriptor(owning: ends[0])
    let writing = OwnedDescriptor(owning: ends[1])
    let file = try memoryFile(input)
    defer {
      extendLifetime(file)
      extendLifetime(writing)
    }
    return (try start(arguments, input: file.raw, output: writing.raw), reading)
  }

  /// A file without a name, so that nothing waits for the program to read.
  private static func memoryFile(_ bytes: [UInt8]) throws(SystemError) -> OwnedDescriptor {
    let raw = whorl_memory_file()
    guard raw >= 0 else { throw SystemError(code: errno, call: "memfd_create") }
    let file = OwnedDescriptor(owning: raw)
    guard BlockingStream(raw).write(bytes.span), lseek(raw, 0, SEEK_SET) == 0 else {
      throw SystemError(code: EIO, call: "write")
    }
    return file
  }

  private static func start(
    _ arguments: [[UInt8]], input: Int32, output: Int32
  ) throws(SystemError) -> pid_t {
    var process: pid_t = 0
    var actions = unsafe posix_spawn_file_actions_t()
    // SAFETY: the actions are made before and freed after their use; each argument is a copy that
    // ends in a zero and lives until it is freed below.
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
    unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe []
    for argument in arguments {
      let text = argument.map { CChar(bitPattern: $0) } + [0]
      unsafe pointers.append(strdup(text))
    }
    unsafe pointers.append(nil)
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    let status = unsafe posix_spawnp(
      &process, pointers[0]!, &actions, nil, &pointers, whorl_environment())
    guard status == 0 else { throw SystemError(code: status, call: "posix_spawnp") }
    return process
  }
}
