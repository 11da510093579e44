import Glibc
import TestHost
import WhorlClient
import Wire

/// Puts many items into the store before anything is measured.
enum Filling {
  /// Each add waits for the device, so they are made in memory and then copied to where the
  /// daemon keeps its state.
  static func fill(_ host: PrivateHost, _ configuration: [String]) throws {
    let memory = host.folder + "/memory"
    mkdir(memory, 0o700)
    guard mount("none", memory, "tmpfs", 0, "size=1g,mode=700") == 0 else {
      throw PrivateHost.Missing("no file system can be mounted here")
    }
    defer { umount2(memory, Int32(MNT_DETACH)) }
    try host.startDaemon(configuration + ["state = \(memory)/state"])
    let few = host.keychain()
    for index in 0..<ItemCounts.few { try few.add("item \(index)") }
    let many = host.keychain()
    try asUser(PrivateHost.games) { try many.add("item 0") }
    for index in 1..<ItemCounts.many { try many.add("item \(index)") }
    host.stop("whorld", signal: 15)
    try host.copy(memory + "/state", host.state)
  }
}
