import Foundation
import Glibc
import TestHost
import Testing

@Suite(.serialized) final class SecrecyTests {
  static let secret = "Zk9-unlikely-secret-7Qx"
  static let password = "sesame"
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("token", Self.secret)
  }

  /// Every file below the host's folder, except the password file of its PAM service.
  private func files() -> [String] {
    let all = FileManager.default.enumerator(atPath: host.folder)?.allObjects as? [String] ?? []
    return all.filter { $0 != "passdb" && $0 != "whorl" }.map { "\(host.folder)/\($0)" }
  }

  private func holds(_ path: String, _ text: String) -> Bool {
    FileManager.default.contents(atPath: path)?.range(of: Data(text.utf8)) != nil
  }

  @Test func `the secret is in no file, argument, environment or error text`() throws {
    let wrong = try host.reading("token")
    wrong.type("wrong-guess-4711\n")
    try wrong.expect("Wrong password.")
    let program = try host.terminal(
      ["run", "--with", "token=TOKEN", "--", "/bin/sh", "-c", "echo \"${#TOKEN}\"; sleep 30"])
    wrong.interrupt()
    #expect(try wrong.status() == 128)
    try program.expect(PrivateHost.touchOrType)
    program.type("\(Self.password)\n")
    try program.expect("\(Self.secret.count)")
    // The one place it may be: the environment of the program it was given to.
    let given = "/proc/\(program.pid)/environ"
    #expect(holds(given, Self.secret))
    let own = ["whorld", "worker", "reader", "bus", "fprintd"].compactMap { host.pid($0) }
    for pid in own {
      for name in ["cmdline", "environ"] {
        #expect(!holds("/proc/\(pid)/\(name)", Self.secret))
      }
    }
    #expect(!holds("/proc/\(program.pid)/cmdline", Self.secret))
    for path in files() {
      for text in [Self.secret, "wrong-guess-4711"] {
        #expect(!holds(path, text), "\(path) holds \(text)")
      }
    }
    for command in [
      ["log", "-n", "100"], ["log", "--json"], ["list", "--json"], ["show", "token"],
    ] {
      let result = try host.whorl(command)
      #expect(!(result.output + result.error).contains(Self.secret))
    }
    #expect(!program.output.contains(Self.secret))
    #expect(!wrong.output.contains("wrong-guess-4711"))
  }

  @Test func `nothing that was released or typed stays in the daemon's memory`() throws {
    let read = try host.reading("token")
    read.type("\(Self.password)\n")
    try read.expect(Self.secret)
    #expect(try read.status() == 0)
    let pid = try #require(host.pid("whorld"))
    let scan = """
      import re, sys
      needles = [a.encode() for a in sys.argv[2:]]
      found = 0
      with open(f'/proc/{sys.argv[1]}/maps') as maps, open(f'/proc/{sys.argv[1]}/mem', 'rb', 0) as mem:
        for line in maps:
          m = re.match(r'([0-9a-f]+)-([0-9a-f]+) r', line)
          if not m or 'vvar' in line or 'vsyscall' in line: continue
          try:
            mem.seek(int(m[1], 16)); data = mem.read(int(m[2], 16) - int(m[1], 16))
          except (OSError, ValueError, OverflowError): continue
          for n in needles:
            if n in data: print('found', n, line.strip()); found = 1
      print('scanned')
      sys.exit(found)
      """
    let result = try host.run(
      ["/usr/bin/python3", "-c", scan, "\(pid)", Self.secret, Self.password], seconds: 30)
    #expect(result.output.contains("scanned"), "\(result.error)")
    #expect(result.status == 0, "\(result.output)")
  }
}
