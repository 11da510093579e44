import TestHost
import Testing

@Suite(.serialized) final class UserPresenceTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("token")
  }

  @Test func `the right password opens`() throws {
    let read = try host.reading("token")
    read.type("sesame\n")
    try read.expect("hunter2\n")
    #expect(try read.status() == 0)
  }

  @Test func `three wrong passwords are 51, and the next try waits, also after a restart`() throws {
    let read = try host.reading("token")
    read.type("wrong\n")
    try read.expect("Wrong password.")
    read.type("wrong\n")
    try read.expect("Wrong password.")
    read.type("wrong\n")
    #expect(try read.status() == 51)
    #expect(!read.output.contains("hunter2"))

    // A fourth failure makes it two seconds, long enough to restart in.
    let fourth = try host.reading("token")
    var wait = "1 second"
    fourth.type("sesame\n")
    try fourth.expect("The next one is tried after \(wait)")
    _ = try? fourth.expect("never", seconds: 1.2)
    fourth.type("wrong\n")
    wait = "2 seconds"
    try fourth.expect("The next one is tried after \(wait)")
    fourth.interrupt()
    #expect(try fourth.status() == 128)
    try host.restartDaemon()
    let after = try host.reading("token")
    after.type("sesame\n")
    try after.expect("The next one is tried after")
    _ = try? after.expect("never", seconds: 2)
    after.type("sesame\n")
    try after.expect("hunter2")
    #expect(try after.status() == 0)
  }

  @Test func `Ctrl-C is 128, and the reader is free again at once`() throws {
    let read = try host.reading("token")
    try host.waitForVerification()
    read.interrupt()
    #expect(try read.status() == 128)
    #expect(host.readerIsFree(within: 1))
  }

  @Test func `a touch opens`() throws {
    let read = try host.reading("token")
    try host.scan("alice")
    #expect(try read.status() == 0)
    #expect(read.output.contains("hunter2"))
  }

  @Test func `typing while the reader waits works, and frees the reader`() throws {
    let read = try host.reading("token")
    read.type("ses")
    try host.scan("mallory")
    try read.expect("The finger does not match")
    read.type("ame\n")
    try read.expect("hunter2")
    #expect(try read.status() == 0)
    #expect(host.readerIsFree(within: 1))
  }
}
