import Foundation
import Glibc
import TestHost
import Testing

/// A client that dies on its way, at any moment.
@Suite(.serialized) final class SealedDeathTests {
  @Test func `killed at any moment, an item is as it was or as it was to be`() throws {
    let it = try SealedHost()
    try it.add("a", "0")
    var last = "0"
    for round in 1...24 {
      // timeout(1) kills its whole process group, so that what was started dies with it.
      let script = "printf %s \"$1\" | \"$0\" update a & exec sleep \"$2\""
      let words = ["/usr/bin/timeout", "-s", "KILL"]
      let delay = String(format: "%.3f", Double(round) * 0.004)
      _ = try it.host.run(
        it.environment + words + [
          delay, "/bin/sh", "-c", script, it.host.command, "\(round)", "9",
        ],
        user: PrivateHost.games, seconds: 20)
      try it.host.wait("its end") { !it.isAsking && !it.isRunning("whorl") }
      let found = try it.read("a")
      #expect(found == last || found == "\(round)")
      last = found
    }
    #expect(try it.rows().map(\.placed) == [true])
    #expect(try it.whorl("update", "a", input: "end").error == "")
    #expect(try it.read("a") == "end")
    // What interrupted clients left there is gone with the next that was not.
    #expect(try it.sealed().count == 1)
  }
}
