import Foundation
import Glibc
import TestHost
import Testing

/// A keyring of ten thousand items.
@Suite(.serialized) final class SealedCrowdTests {
  @Test func `among ten thousand items of others, each is found, changed and deleted`() throws {
    let it = try SealedHost(isEmpty: true)
    // gnome-keyring reads this form of its files too; ten thousand calls would take minutes.
    var text = "[keyring]\ndisplay-name=crowd\nctime=1\nmtime=1\nlock-on-idle=false\n"
    text += "lock-after=false\n"
    for number in 1...10_000 {
      text += "\n[\(number)]\nitem-type=0\ndisplay-name=item \(number)\nsecret=s\(number)\n"
      text += "mtime=1\nctime=1\n\n[\(number):attribute0]\nname=number\ntype=string\n"
      text += "value=\(number)\n"
    }
    let folder = it.host.folder + "/keyring/.local/share/keyrings"
    try text.write(toFile: folder + "/crowd.keyring", atomically: false, encoding: .utf8)
    try "crowd".write(toFile: folder + "/default", atomically: false, encoding: .utf8)
    chown(folder + "/crowd.keyring", PrivateHost.games, PrivateHost.games)
    try it.keyring.startDaemon()
    try it.add("a", "one")
    let started = Date()
    #expect(try it.read("a") == "one")
    #expect(Date().timeIntervalSince(started) < 5)
    #expect(try it.whorl("update", "a", input: "three").error == "")
    #expect(try it.read("a") == "three")
    #expect(try it.it.client("count").count == 10_001)
    #expect(try it.sealed().count == 1)
    #expect(try it.whorl("rm", "a").status == 0)
    #expect(try it.it.client("count").count == 10_000)
  }
}
