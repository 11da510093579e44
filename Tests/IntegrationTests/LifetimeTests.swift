import Glibc
import TestHost
import Testing

/// What outlives a restart, and what an older copy of the state brings back.
@Suite(.serialized) final class LifetimeTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func `a restart keeps items, bindings and the record`(signal: Int32) throws {
    try host.add("token", access: "biometryCurrentSet")
    let start = ContinuousClock.now
    try host.restartDaemon(signal: signal)
    #expect(ContinuousClock.now - start < .seconds(8))
    let read = try host.read("token", touching: "alice")
    #expect(try read.status() == 0)
    #expect(read.output.contains("hunter2"))
    let log = try host.whorl(["log"]).output
    #expect(log.contains("add \"token\"") && log.contains("by finger: done"), "\(log)")
  }

  @Test func `a restart keeps that the password was given since boot`() throws {
    try host.add("token", access: "none", ["--class", "afterFirstUnlock"])
    try host.add("gated", access: "devicePasscode")
    let read = try host.reading("gated", "Type your password: ")
    read.type("sesame\n")
    #expect(try read.status() == 0)
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    #expect(try host.whorl(["read", "token"]).output == "hunter2")
    try host.restartDaemon()
    #expect(try host.whorl(["status"]).output.contains("locked"))
    #expect(try host.whorl(["read", "token"]).output == "hunter2")
  }

  @Test func `a clean stop ends a waiting request without a secret`() throws {
    try host.add("token")
    let read = try host.reading("token")
    host.stop("whorld", signal: SIGTERM)
    #expect(try read.status() == 1)
    #expect(read.output.contains("closed the connection"))
    #expect(host.readerIsFree(within: 6))
  }

  @Test func `SIGHUP reads the configuration again`() throws {
    try host.add("token")
    try host.startDaemon(["prompts-per-user = 1"])
    let first = try host.reading("token")
    #expect(try host.terminal(["read", "token"]).status() == 75)
    let path = "\(host.folder)/whorld.conf"
    #expect(
      try host.run(["/bin/sed", "-i", "s/prompts-per-user = 1/prompts-per-user = 2/", path]).status
        == 0)
    host.stop("whorld", signal: SIGHUP)
    let second = try host.terminal(["read", "token"])
    try second.expect("first: a touch now serves that.")
    first.interrupt()
    #expect(try first.status() == 128)
  }

  @Test func `a configuration with a mistake changes nothing, and the service says so`() throws {
    let path = "\(host.folder)/whorld.conf"
    let edit = "s/^passcodes = pam/passcodes = nobody/"
    #expect(try host.run(["/bin/sed", "-i", edit, path]).status == 0)
    host.stop("whorld", signal: SIGHUP)
    try host.wait("the service's words") {
      host.log("whorld").contains("line 9: bad value for passcodes; the configuration stays")
    }
    try host.add("token")
    let read = try host.reading("token")
    read.type("sesame\n")
    #expect(try read.status() == 0)
  }

  @Test func `a damaged database is its owner's trouble alone, and the service says what it is`()
    throws
  {
    try host.add("token", access: "none")
    #expect(try host.whorl(["add", "mine"], input: "x", user: PrivateHost.other).status == 0)
    host.stop("whorld", signal: SIGTERM)
    let store = "\(host.state)/users/\(PrivateHost.other)-www-data/items.db"
    let noise = "head -c 8192 /dev/zero | tr '\\0' x >\(store); rm -f \(store)-*"
    #expect(try host.run(["/bin/sh", "-c", noise]).status == 0)
    try host.startDaemon()
    let read = try host.whorl(["read", "mine"], user: PrivateHost.other)
    #expect(read.status == 1)
    #expect(read.error.contains("the stored item is damaged"), "\(read.error)")
    #expect(host.log("whorld").contains("database: file is not a database (26)"))
    #expect(try host.whorl(["read", "token"]).output == "hunter2")
  }

  /// The claim of a file as key source, and no more: who restores an older copy of the whole state
  /// folder, and the prints of then, has the generation of then. No interface of ours does it.
  @Test func `an older copy of the whole state revives a generation, which a file cannot prevent`()
    throws
  {
    try host.add("token", access: "biometryCurrentSet")
    try host.savePrints(of: "games")
    host.stop("whorld", signal: SIGTERM)
    try host.copy(host.state, "\(host.folder)/state.old")
    try host.startDaemon()
    try host.enroll("bob", finger: "left-thumb", user: "games")
    #expect(try host.whorl(["read", "token"]).status == 93)

    // The database and the users' generations alone, without the key source: still dead.
    host.stop("whorld", signal: SIGTERM)
    try host.copy("\(host.state)/shred.slot", "\(host.folder)/shred.now")
    try host.restorePrints(of: "games")
    _ = try host.run(["/bin/rm", "-rf", host.state])
    try host.copy("\(host.folder)/state.old", host.state)
    try host.copy("\(host.folder)/shred.now", "\(host.state)/shred.slot")
    try host.startDaemon()
    #expect(try host.whorl(["read", "token"]).status == 93)

    // With it: alive.
    host.stop("whorld", signal: SIGTERM)
    _ = try host.run(["/bin/rm", "-rf", host.state])
    try host.copy("\(host.folder)/state.old", host.state)
    try host.startDaemon()
    let read = try host.read("token", touching: "alice")
    #expect(try read.status() == 0)
    #expect(read.output.contains("hunter2"))
  }
}
