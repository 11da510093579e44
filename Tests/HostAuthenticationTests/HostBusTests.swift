import Glibc
import HostAuthentication
import TestHost
import Testing

/// More calls at a time than the bus takes of one connection, which is 128.
struct HostBusTests {
  private static let count = 300
  private let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.startLogind()
  }

  private final class Answers {
    var good = 0
    var bad = 0
  }

  private func call() -> Answers {
    let answers = Answers()
    for _ in 0..<Self.count {
      host.bus.call(
        "org.freedesktop.login1", path: "/org/freedesktop/login1",
        interface: "org.freedesktop.login1.Manager", member: "ListSessions", limit: 10_000
      ) { result in
        if case .success = result { answers.good += 1 } else { answers.bad += 1 }
      }
    }
    return answers
  }

  @Test func `calls wait for their turn, and all are answered`() throws {
    let answers = call()
    try host.wait("the answers") { answers.good + answers.bad == Self.count }
    #expect(answers.good == Self.count)
  }

  @Test func `calls that wait when the bus is lost fail, each once`() throws {
    host.stop("logind", signal: SIGSTOP)
    let answers = call()
    host.stop("bus")
    try host.wait("the failures") { answers.bad == Self.count }
    #expect(answers.good == 0)
  }
}
