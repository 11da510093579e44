import Foundation
import HostAuthentication
import TestHost
import Testing
import Wire

@Suite(.serialized) final class AccountTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try "x".write(toFile: "\(host.folder)/passwd", atomically: true, encoding: .utf8)
  }

  private func directory(socket: String? = nil, limit: UInt64 = 2000) -> AccountDirectory {
    AccountDirectory(
      loop: host.loop, socket: socket ?? host.workerSocket, limit: limit,
      files: ["\(host.folder)/passwd"])
  }

  private func lookup(_ directory: AccountDirectory, _ uid: UInt32) throws -> AccountAnswer {
    try host.answer("an account") { directory.lookup(uid, completion: $0) }
  }

  @Test func `an account is known by uid, name and password state`() throws {
    let directory = directory()
    #expect(
      try lookup(directory, 5) == .known(Account(uid: 5, name: "games", password: .disabled)))
    #expect(directory.cached(5)?.name == "games")
  }

  @Test func `a uid without a name is unknown`() throws {
    #expect(try lookup(directory(), 3_999_999_999) == .unknown)
  }

  @Test func `a change of the databases drops what is kept`() throws {
    let directory = directory()
    _ = try lookup(directory, 5)
    #expect(directory.cached(5) != nil)
    try "xy".write(toFile: "\(host.folder)/passwd", atomically: true, encoding: .utf8)
    #expect(directory.cached(5) == nil)
  }

  @Test func `a change while an account is asked for is asked about again`() throws {
    let directory = directory(limit: 10_000)
    host.stop("worker", signal: SIGSTOP)
    var answers: [AccountAnswer] = []
    directory.lookup(5) { answers.append($0) }
    try "xy".write(toFile: "\(host.folder)/passwd", atomically: true, encoding: .utf8)
    // This one joins a question that was asked before the change.
    directory.lookup(5) { answers.append($0) }
    host.stop("worker", signal: SIGCONT)
    try host.wait("both answers") { answers.count == 2 }
    let games = Account(uid: 5, name: "games", password: .disabled)
    #expect(answers == [.known(games), .known(games)])
    // What may be from before a change is not kept: this was asked after it.
    #expect(directory.cached(5) == games)
  }

  @Test func `no worker means no answer, not an account`() throws {
    #expect(try lookup(directory(socket: "/nowhere"), 5) == .unavailable)
  }

  @Test func `a worker that does not answer is given up`() throws {
    host.stop("worker", signal: SIGSTOP)
    #expect(try lookup(directory(limit: 200), 5) == .unavailable)
  }
}
