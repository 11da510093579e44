import Foundation
import Glibc
import TestHost
import Testing

/// Clients that die on their way, and that get into each other's.
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

  @Test func `reads while others write give what was or what is, and no error`() throws {
    let it = try SealedHost()
    try it.add("a", "0")
    let writer = """
      for n in 1 2 3 4 5 6 7 8 9 10 11 12; do printf %s $n | "$0" update a || exit 1; done; echo over
      """
    let writing = try it.host.terminal(
      program: it.environment + ["/bin/sh", "-c", writer, it.host.command])
    var seen = 0
    let limit = Date().addingTimeInterval(60)
    while seen < 12, Date() < limit {
      let number = try #require(Int(try it.read("a")))
      #expect(number >= seen)
      seen = max(seen, number)
    }
    try writing.expect("over")
    #expect(try it.read("a") == "12")
  }
}
