import Glibc
import TestHost
import Testing

/// What may happen to fprintd, and who may speak in its place.
@Suite(.serialized) final class FingerprintServiceTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
    try host.add("finger", access: "biometryAny")
  }

  @Test func `a match that another connection tells opens nothing`() throws {
    let read = try host.reading("finger", PrivateHost.touch)
    try host.waitForVerification()
    try host.forge(
      "net.reactivated.Fprint.Device", "VerifyStatus", at: host.devicePath(), signature: "sb",
      "['verify-match', True]")
    #expect(try read.status() == 1, "\(read.output)")
    #expect(read.output.contains("fprintd did not tell of the match"), "\(read.output)")
    #expect(!read.output.contains("hunter2"))
    #expect(host.readerIsFree(within: 3))
    let again = try host.read("finger", touching: "alice")
    #expect(try again.status() == 0, "\(again.output)")
  }
}
