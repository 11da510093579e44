import Glibc
import TestHost
import Testing

/// The scanner finds what is there; otherwise the other tests of this target would say nothing.
@Suite(.serialized) struct ScanTests {
  @Test func `a secret that a live process holds is found, and where`() throws {
    let host = try PrivateHost()
    let needle = Needle("planted")
    let absent = Needle("absent")
    let holder = try host.terminal(program: ["/bin/sh", "-c", "read -r x; echo kept; read -r y"])
    holder.type(needle.secret(64) + "\n")
    try holder.expect("kept")
    let scan = MemoryScan(pid: holder.pid)
    let hits = try scan.hits([needle, absent])
    #expect(!hits.isEmpty)
    #expect(hits.allSatisfy { $0.needle.name == "planted" })
    #expect(try scan.lockedMappings().isEmpty)
  }
}
