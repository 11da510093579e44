import Foundation
import Glibc
import TestHost
import Testing

/// Prints that change while somebody looks, or while nobody does.
@Suite(.serialized) final class PrintChangeTests {
  let host: PrivateHost
  var folder: String { host.folder(ofPrintsOf: "games") }

  init() throws {
    host = try PrivateHost.complete(["rearm-delay = 100"])
    try host.add("token", access: "biometryCurrentSet")
    try host.add("any", access: "biometryAny")
    // Another set, as an attacker would bring it.
    try host.copy(folder, "\(host.folder)/theirs")
    try FileManager.default.removeItem(atPath: file(below: "\(host.folder)/theirs"))
    try "FP3 theirs".write(
      toFile: file(below: "\(host.folder)/theirs"), atomically: false, encoding: .utf8)
  }

  /// The one print in a user's folder.
  private func file(below folder: String) -> String {
    "\(folder)/virtual_device_storage/0/7"
  }

  private func exchange() throws {
    try FileManager.default.moveItem(atPath: folder, toPath: "\(host.folder)/ours")
    try FileManager.default.moveItem(atPath: "\(host.folder)/theirs", toPath: folder)
  }

  private func exchangeBack() throws {
    try FileManager.default.moveItem(atPath: folder, toPath: "\(host.folder)/theirs")
    try FileManager.default.moveItem(atPath: "\(host.folder)/ours", toPath: folder)
  }

  private func waiting(_ item: String) throws -> Terminal {
    let read = try host.reading(item, PrivateHost.touch)
    try host.waitForVerification()
    return read
  }

  private func opens(_ item: String) throws {
    let read = try waiting(item)
    usleep(300_000)
    try host.reader("SCAN alice")
    #expect(try read.status() == 0, "\(read.output)")
    #expect(read.output.contains("hunter2"))
  }

  @Test(arguments: ["token", "any"])
  func `a match with prints that were put there for the moment does not count`(item: String) throws
  {
    let read = try waiting(item)
    host.stop("whorld", signal: SIGSTOP)
    try exchange()
    try host.reader("SCAN alice")
    try exchangeBack()
    host.stop("whorld", signal: SIGCONT)
    // The prints are the right ones again, and so it asks again.
    try read.expect(PrivateHost.touch)
    #expect(!read.output.contains("hunter2"))
    try host.waitForVerification()
    usleep(300_000)
    try host.reader("SCAN alice")
    #expect(try read.status() == 0, "\(read.output)")
  }

  @Test func `a set that was seen exchanged is dead, though it was put back`() throws {
    try exchange()
    try host.wait("the end") {
      try host.whorl(["log", "--json"]).output.contains("generationEnded")
    }
    try exchangeBack()
    #expect(try host.whorl(["read", "token"]).status == 93)
    try opens("any")
  }

  @Test func `an end that a request finds is in the record like one that is watched`() throws {
    host.stop("whorld", signal: SIGTERM)
    try exchange()
    try host.startDaemon()
    #expect(try host.whorl(["read", "token"]).status == 93)
    let log = try host.whorl(["log", "--json"]).output
    #expect(log.split(separator: "generationEnded").count == 2, "\(log)")
  }

  /// A set that nobody saw exchanged is the same set: its bytes and times are all there is of it.
  @Test func `a set exchanged and put back while whorld was away is the same set`() throws {
    host.stop("whorld", signal: SIGTERM)
    try exchange()
    try exchangeBack()
    try host.startDaemon()
    try opens("token")
  }

  @Test func `prints written again with their old times are another set`() throws {
    host.stop("whorld", signal: SIGTERM)
    let file = file(below: folder)
    try host.copy(file, "\(host.folder)/saved")
    try "FP3 other".write(toFile: file, atomically: false, encoding: .utf8)
    let touched = try host.run(["/usr/bin/touch", "-r", "\(host.folder)/saved", file])
    #expect(touched.status == 0)
    try host.startDaemon()
    #expect(try host.whorl(["read", "token"]).status == 93)
  }

  @Test func `prints that change all the time are no set that opens anything`() throws {
    let writer = try host.terminal(
      program: [
        "/usr/bin/python3", "-c",
        """
        import os, sys
        f = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
        os.pwrite(f, b'x' * 1000000, 0)
        print('writes', flush=True)
        while True: os.pwrite(f, b'y', 500000); os.pwrite(f, b'z', 500000)
        """, "\(folder)/large",
      ], user: nil)
    try writer.expect("writes")
    #expect(try host.whorl(["read", "token"]).status == 93)
    // A new item may be bound to what was seen for a moment, and is dead in the next.
    _ = try host.whorl(["add", "--access", "biometryCurrentSet", "new"], input: "hunter2")
    #expect(try [44, 93].contains(host.whorl(["read", "new"]).status))
  }

  @Test func `changes so many that the kernel loses them are a change`() throws {
    let read = try waiting("any")
    host.stop("whorld", signal: SIGSTOP)
    let burst = """
      import os, sys
      limit = int(open('/proc/sys/fs/inotify/max_queued_events').read())
      for i in range(limit + 10):
          os.close(os.open(f'{sys.argv[1]}/n{i % 2}', os.O_CREAT | os.O_WRONLY))
          os.unlink(f'{sys.argv[1]}/n{i % 2}')
      """
    let result = try host.run(["/usr/bin/python3", "-c", burst, host.folder], seconds: 30)
    #expect(result.status == 0, "\(result.error)")
    // Too late to be told.
    try exchange()
    try host.reader("SCAN alice")
    host.stop("whorld", signal: SIGCONT)
    try read.expect(PrivateHost.touch)
    #expect(!read.output.contains("hunter2"))
    try exchangeBack()
    read.interrupt()
    #expect(try read.status() == 128)
    #expect(try host.whorl(["read", "token"]).status == 93)
  }

  /// What its unit leaves it. A print that root may not read without more rights counts as changed.
  @Test
  func `with the rights of its unit whorld does all it must, and reads no other user's files`()
    throws
  {
    host.stop("whorld", signal: SIGTERM)
    try host.startDaemon(
      ["rearm-delay = 100"],
      prefix: [
        "/usr/bin/setpriv", "--no-new-privs", "--inh-caps", "-all", "--bounding-set",
        "-all,+ipc_lock,+sys_ptrace",
      ])
    try opens("token")
    let print = file(below: folder)
    #expect(chown(print, PrivateHost.other, PrivateHost.other) == 0)
    #expect(chmod(print, 0o600) == 0)
    #expect(try host.whorl(["read", "token"]).status == 93)
    #expect(try host.whorl(["show", "token"]).output.contains("invalidated"))
    #expect(try host.whorl(["status"]).status == 0)
  }
}
