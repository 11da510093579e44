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

  @Test func `Ctrl-C is 128, and the reader is free again at once`() throws {
    let read = try host.reading("token")
    try host.waitForVerification()
    read.interrupt()
    #expect(try read.status() == 128)
    #expect(host.readerIsFree(within: 6))
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
    #expect(host.readerIsFree(within: 6))
  }
}
