import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// An item that lets one act serve again, and who would like to be served.
@Suite(.serialized, .enabled(if: Namespace.isOwn, Namespace.need))
final class ReuseTests {
  private static let scope = "/user.slice/user-5.slice/session-c1.scope"
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.plain()
    try host.store("again", "devicePasscode", reuse: 300)
    try host.store("once", "devicePasscode")
    try host.store("again", "devicePasscode", reuse: 300, user: PrivateHost.other)
  }

  /// A process of which the kernel says that it stands in that control group.
  private func process(in group: String, user: uid_t = PrivateHost.games) throws -> Connector {
    let connector = try Connector(host, user: user)
    // It has come up as itself, and not as the program that started it.
    _ = try connector.connect()
    let file = "\(host.folder)/group-\(connector.pid)"
    try "0::\(group)\n".write(toFile: file, atomically: true, encoding: .utf8)
    #expect(mount(file, "/proc/\(connector.pid)/cgroup", nil, UInt(MS_BIND), nil) == 0)
    return connector
  }

  /// Whether a read asks a person; the request ends either way.
  private func asks(_ connector: Connector, _ name: String = "again", reuse: UInt32 = 300) throws
    -> Bool
  {
    let client = try connector.connect()
    client.ask(.read([Raw.item(name)]), reuse: reuse)
    if (try? client.prompt()) == nil { return false }
    client.send(.cancel)
    #expect(client.outcome() == .failed(.cancelled))
    return true
  }

  @Test func `a reuse window serves its login session, which no name of a group forges`() throws {
    let first = try process(in: Self.scope)
    let client = try first.connect()
    client.ask(.read([Raw.item("again")]), reuse: 300)
    let prompt = try client.show()
    #expect(prompt.reuse == 300)
    client.type(PrivateHost.password, at: prompt.id)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))

    #expect(try !asks(process(in: Self.scope)))
    #expect(try asks(process(in: Self.scope), "once"))
    #expect(try asks(process(in: Self.scope), reuse: 0))
    for group in [
      "/user.slice/user-5.slice/session-c2.scope",
      "/user.slice/user-5.slice/user@5.service/app.slice/session-c1.scope",
      "/user.slice/user-5.slice/user@5.service/user.slice/user-5.slice/session-c1.scope",
      "/user.slice/user-33.slice/session-c1.scope", "/session-c1.scope", "/",
    ] {
      #expect(try asks(process(in: group)), "\(group)")
    }
    let stranger = "/user.slice/user-33.slice/session-c1.scope"
    #expect(try asks(process(in: stranger, user: PrivateHost.other)))
    #expect(try asks(process(in: Self.scope, user: PrivateHost.other)))
  }
}
