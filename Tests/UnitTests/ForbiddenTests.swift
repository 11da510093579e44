import Foundation
import TestHost
import Testing

/// What the units forbid is refused, and as they say.
@Suite(.enabled(if: Namespace.isOwn, Namespace.need)) struct ForbiddenTests {
  /// Prints the answer of each thing that is tried, by the name of its errno.
  private static let probe = """
    import ctypes, errno, mmap, os, socket, sys
    libc = ctypes.CDLL(None, use_errno=True)
    def say(name, attempt):
        try: attempt(); answer = 'done'
        except OSError as error: answer = errno.errorcode[error.errno]
        print(name, answer)
    def call(name, *arguments):
        def attempt():
            if getattr(libc, name)(*arguments) < 0: raise OSError(ctypes.get_errno(), name)
        say(name, attempt)
    call('ptrace', 0, 0, 0, 0)
    call('mount', b'none', b'/mnt', b'tmpfs', 0, None)
    call('unshare', 0x20000)
    call('setns', 0, 0)
    call('reboot', 0)
    call('swapoff', b'/none')
    call('init_module', None, 0, b'')
    call('adjtimex', ctypes.create_string_buffer(512))
    call('sethostname', b'x', 1)
    call('personality', 0x0040000)
    call('setuid', os.getuid())
    call('setpriority', 0, 0, 0)
    call('getpid')
    call('syscall', 4000)
    say('mmap', lambda: mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC))
    say('unix', lambda: socket.socket(socket.AF_UNIX))
    say('inet', lambda: socket.socket(socket.AF_INET))
    say('netlink', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
    say('usr', lambda: open('/usr/lib/whorl-probe', 'w'))
    say('etc', lambda: open('/etc/whorl-probe', 'w'))
    say('var', lambda: (open('/var/tmp/whorl-probe', 'w'), os.unlink('/var/tmp/whorl-probe')))
    say('sys', lambda: open('/proc/sys/kernel/core_pattern', 'r+'))
    say('root', lambda: os.listdir('/root'))
    say('kmem', lambda: os.stat('/dev/kmsg'))
    say('state', lambda: open(sys.argv[1] + '/probe', 'w'))
    say('setuid-file', lambda: os.chmod(sys.argv[1] + '/probe', 0o4755))
    print('umask', oct(os.umask(0)))
    """

  private func answers(_ unit: String, _ host: PrivateHost) throws -> [String: String] {
    let state = "\(host.folder)/state"
    let words = try Sandbox(UnitFile(unit), host, writable: [state]).words
    let result = try host.run(words + ["/usr/bin/python3", "-c", Self.probe, state])
    #expect(result.status == 0, "\(result.error)")
    var answers: [String: String] = [:]
    for line in result.output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      if words.count == 2 { answers[words[0]] = words[1] }
    }
    return answers
  }

  private func expect(_ unit: String, _ wanted: [String: String]) throws {
    let answers = try answers(unit, PrivateHost())
    let others = wanted.filter { answers[$0.key] != $0.value }
      .map { "\($0.key): \(answers[$0.key] ?? "nothing") instead of \($0.value)" }
    #expect(others.isEmpty)
  }

  @Test func `whorld reaches its state, other processes and local sockets`() throws {
    try expect(
      "whorld.service",
      [
        "ptrace": "EPERM", "mount": "EPERM", "unshare": "EPERM", "setns": "EPERM",
        "reboot": "EPERM", "swapoff": "EPERM", "init_module": "EPERM", "adjtimex": "EPERM",
        "sethostname": "EPERM", "personality": "EPERM", "setuid": "EPERM", "setpriority": "EPERM",
        "getpid": "done", "syscall": "ENOSYS", "mmap": "EPERM", "unix": "done",
        "inet": "EAFNOSUPPORT", "netlink": "EAFNOSUPPORT", "usr": "EROFS", "etc": "EROFS",
        "var": "EROFS", "sys": "EROFS", "root": "EACCES", "kmem": "ENOENT", "state": "done",
        "setuid-file": "EPERM", "umask": "0o77",
      ])
  }

  @Test func `the print reader reaches nothing`() throws {
    try expect(
      "whorl-print-reader@.service",
      [
        "ptrace": "EPERM", "mount": "EPERM", "unshare": "EPERM", "setuid": "EPERM",
        "personality": "EPERM", "mmap": "EPERM", "unix": "EAFNOSUPPORT", "inet": "EAFNOSUPPORT",
        "netlink": "EAFNOSUPPORT", "usr": "EROFS", "etc": "EROFS", "var": "EROFS",
        "root": "EACCES", "kmem": "ENOENT", "umask": "0o77",
      ])
  }

  @Test func `the worker leaves to modules what they need`() throws {
    try expect(
      "whorl-pam-worker@.service",
      [
        "ptrace": "EPERM", "mount": "EPERM", "unshare": "EPERM", "setns": "EPERM",
        "reboot": "EPERM", "swapoff": "EPERM", "init_module": "EPERM", "adjtimex": "EPERM",
        "sethostname": "EPERM", "personality": "EPERM", "setuid-file": "EPERM",
        "usr": "EROFS", "etc": "EROFS", "sys": "EROFS",
        // What it keeps.
        "setuid": "done", "setpriority": "done", "mmap": "done", "unix": "done", "inet": "done",
        "netlink": "done", "var": "done", "root": "done", "state": "done", "umask": "0o77",
      ])
  }
}
