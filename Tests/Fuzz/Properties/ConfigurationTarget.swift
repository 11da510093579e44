@testable import Daemon

extension FuzzTarget {
  static let configuration = FuzzTarget(name: "configuration") { bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let configuration: Configuration
    do throws(Configuration.Problem) { configuration = try Configuration(parsing: text) } catch {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      try require((1...lines).contains(error.line), "a problem is on a line of the file")
      return
    }
    try requireRanges(configuration)
    try require(
      try Configuration(parsing: printed(configuration)) == configuration,
      "a printed configuration reads as itself")
    let dos = text.split(separator: "\n", omittingEmptySubsequences: false)
      .joined(separator: "\r\n")
    try require(
      (try? Configuration(parsing: dos)) == configuration, "how lines end changes nothing")
    try require(
      (try? Configuration(parsing: text + "\n# \u{301}\n")) == configuration,
      "a comment says nothing")
  }

  private static func requireRanges(_ read: Configuration) throws {
    for path in [
      read.socket, read.state, read.runtime, read.workerSocket, read.printReaderSocket,
      read.prints, read.passwd,
    ] {
      try require(path.utf8.first == UInt8(ascii: "/"), "paths are absolute: \(path)")
    }
    try require(
      read.pamDirectory.isEmpty || read.pamDirectory.utf8.first == UInt8(ascii: "/"),
      "paths are absolute")
    try require(
      (1...1 << 40).contains(read.quota) && (1...100_000).contains(read.connectionsPerUser)
        && (1...64).contains(read.promptsPerUser),
      "numbers have their ranges")
    for limit in [
      read.helloLimit, read.shownLimit, read.promptLimit, read.writeLimit, read.captureLimit,
    ] {
      try require((1...600_000).contains(limit), "limits have their ranges")
    }
    try require(read.rearmDelay <= 60_000, "limits have their ranges")
  }

  private static func printed(_ read: Configuration) -> String {
    let folder = read.pamDirectory.isEmpty ? "" : "pam-directory = \(read.pamDirectory)"
    return """
      \(folder)
      socket = \(read.socket)
      state = \(read.state)
      runtime = \(read.runtime)
      worker-socket = \(read.workerSocket)
      print-reader-socket = \(read.printReaderSocket)
      prints = \(read.prints)
      bus-address = \(read.busAddress)
      passwd = \(read.passwd)
      without-logind = \(read.withoutLogind.rawValue)
      passcodes = \(read.passcodes.rawValue)
      quota = \(read.quota)
      connections-per-user = \(read.connectionsPerUser)
      prompts-per-user = \(read.promptsPerUser)
      hello-limit = \(read.helloLimit)
      shown-limit = \(read.shownLimit)
      prompt-limit = \(read.promptLimit)
      capture-limit = \(read.captureLimit)
      rearm-delay = \(read.rearmDelay)
      write-limit = \(read.writeLimit)
      """
  }
}
