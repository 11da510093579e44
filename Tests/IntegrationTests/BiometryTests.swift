import TestHost
import Testing

@Suite(.serialized) final class BiometryTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("token", access: "biometryCurrentSet")
  }

  @Test func `the right finger opens`() throws {
    let read = try host.read("token", touching: "alice")
    #expect(try read.status() == 0)
    #expect(read.output.contains("hunter2"))
  }

  @Test func `a wrong finger three times refuses`() throws {
    let read = try host.reading("token", PrivateHost.touch)
    for touch in 1...3 {
      try host.scan("mallory")
      if touch < 3 { try read.expect("The finger does not match") }
    }
    #expect(try read.status() == 51)
    #expect(!read.output.contains("hunter2"))
  }

  @Test func `a password is no answer to an item that wants a finger`() throws {
    let read = try host.reading("token", PrivateHost.touch)
    read.type("sesame\n")
    #expect(!read.shows("hunter2", within: 0.5))
    read.interrupt()
    #expect(try read.status() == 128)
  }
}
