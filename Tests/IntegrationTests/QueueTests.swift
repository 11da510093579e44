import Glibc
import TestHost
import Testing
import Wire

/// Several programs of one person ask at the same time.
@Suite(.serialized) final class QueueTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("first", "one", access: "biometryAny")
    try host.add("second", "two", access: "biometryAny")
  }

  private func queued(behind item: String) throws -> Terminal {
    let second = try host.terminal(["read", "second"])
    try second.expect("/whorl\" asks for \"\(item)\" first: a touch now serves that.")
    #expect(!second.output.contains("Touch"))
    return second
  }

  @Test func `the waiting one is told who is first, and each touch serves the one shown`() throws {
    let first = try host.reading("first", PrivateHost.touch)
    let second = try queued(behind: "first")
    try host.scan("alice")
    #expect(try first.status() == 0)
    #expect(first.output.contains("one"))
    try second.expect(PrivateHost.touch)
    #expect(!second.output.contains("two"))
    try host.waitForVerification()
    usleep(400_000)
    try host.scan("alice")
    #expect(try second.status() == 0)
    #expect(second.output.contains("two"))
  }

  @Test func `a finger that rests on the reader does not serve the next`() throws {
    let first = try host.reading("first", PrivateHost.touch)
    let second = try queued(behind: "first")
    try host.scan("alice")
    #expect(try first.status() == 0)
    // At the moment of arming.
    try host.scan("alice")
    try second.expect("Lift your finger, then touch again.")
    #expect(!second.output.contains("two"))
    try host.waitForVerification()
    usleep(400_000)
    try host.scan("alice")
    #expect(try second.status() == 0)
  }

  @Test func `a hidden client at the head is dropped, and those who wait hear of it`() throws {
    let item = ItemIdentity(
      group: Array("whorl".utf8), service: [], account: Array("first".utf8))
    let bytes =
      FrameHeader.frame(ClientMessage.hello(ClientHello()).encoded)
      + FrameHeader.frame(ClientMessage.request(Request(.read([item]))).encoded)
    let hex = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    let script = """
      import socket, sys, time
      s = socket.socket(socket.AF_UNIX)
      s.connect('\(host.socket)')
      s.sendall(bytes.fromhex('\(hex)'))
      print('sent', flush=True)
      time.sleep(60)
      """
    let hidden = try host.terminal(program: ["/usr/bin/python3", "-c", script])
    try hidden.expect("sent")
    usleep(200_000)
    let second = try host.terminal(["read", "second"])
    try second.expect("\" asks for \"first\" first: a touch now serves that.")
    #expect(second.output.contains("python3"))
    #expect(!host.readerIsTaken)
    let start = ContinuousClock.now
    try second.expect("did not show its prompt and was dropped")
    try second.expect(PrivateHost.touch)
    #expect(ContinuousClock.now - start < .seconds(6))
    try host.scan("alice")
    #expect(try second.status() == 0)
    #expect(second.output.contains("two"))
  }

  @Test func `a stopped client at the head is dropped, and asks anew when it goes on`() throws {
    let first = try host.reading("first", PrivateHost.touch)
    try host.waitForVerification()
    kill(first.pid, SIGSTOP)
    let second = try host.terminal(["read", "second"])
    try second.expect(PrivateHost.touch)
    try host.waitForVerification()
    usleep(400_000)
    try host.scan("alice")
    #expect(try second.status() == 0)
    #expect(second.output.contains("two"))
    kill(first.pid, SIGCONT)
    try first.expect(PrivateHost.touch)
    #expect(!first.output.contains("one\n"))
    first.interrupt()
    #expect(try first.status() == 128)
  }

  @Test func `a prompt that nobody answers ends, and the next is served`() throws {
    let host = try PrivateHost.complete(["prompt-limit = 1500"])
    try host.add("first", "one")
    let first = try host.reading("first")
    #expect(try first.status() == 51)
    #expect(first.output.contains("nobody answered in time"))
    let second = try host.reading("first")
    second.type("sesame\n")
    #expect(try second.status() == 0)
  }

  @Test func `a queue that is full refuses as busy`() throws {
    let host = try PrivateHost.complete(["prompts-per-user = 1"])
    try host.add("first", "one")
    let first = try host.reading("first")
    let second = try host.terminal(["read", "first"])
    #expect(try second.status() == 75)
    first.type("sesame\n")
    #expect(try first.status() == 0)
  }
}
