import Glibc
import HostAuthentication
import Systemd
import TestHost
import Testing

/// Where root may say that somebody logs in, judged over sessions as logind records them.
@Suite(.serialized) final class LoginPlaceTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost()
    try host.startLogind()
  }

  /// What a session is made of; those of a greeter belong to no person.
  struct Session: Sendable {
    var id = "c1"
    var user: uid_t = 5
    var kind = "user"
    var seat = "seat0"
    var isActive = true
    var isRemote = false
  }

  enum Place: Sendable {
    /// The login program is in no session, as a display manager is.
    case none
    /// In a session of this id.
    case session(String)
  }

  struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sessions: [Session]
    var place = Place.none
    var isOnActiveTerminal = false
    let obstacle: SessionObstacle?
  }

  static let scenes: [Scene] = [
    Scene(
      testDescription: "a greeter on the seat",
      sessions: [Session(user: 119, kind: "greeter")], obstacle: nil),
    Scene(
      testDescription: "a lock screen on the seat",
      sessions: [Session(user: 119, kind: "lock-screen")], obstacle: nil),
    Scene(
      testDescription: "the own session on the seat, as for sudo in a terminal of it",
      sessions: [Session()], place: .session("c1"), obstacle: nil),
    Scene(
      testDescription: "the own session on the seat, and a program of no session",
      sessions: [Session()], obstacle: nil),
    Scene(
      testDescription: "another user's session on the seat",
      sessions: [Session(user: 6)], obstacle: .otherUser),
    Scene(
      testDescription: "sudo over ssh while the own session is on the seat",
      sessions: [Session(), Session(id: "s2", seat: "", isActive: true, isRemote: true)],
      place: .session("s2"), obstacle: .remote),
    Scene(
      testDescription: "tmux that was started over ssh",
      sessions: [Session(), Session(id: "s2", seat: "", isActive: false, isRemote: true)],
      place: .session("s2"), obstacle: .remote),
    Scene(
      testDescription: "sudo in a session that is not shown",
      sessions: [Session(user: 119, kind: "greeter"), Session(id: "c2", isActive: false)],
      place: .session("c2"), obstacle: .notActive),
    Scene(testDescription: "nobody on any seat", sessions: [], obstacle: .noSession),
    Scene(
      testDescription: "the console that is shown, before any session",
      sessions: [], isOnActiveTerminal: true, obstacle: nil),
    Scene(
      testDescription: "people on two seats",
      sessions: [Session(user: 119, kind: "greeter"), Session(id: "c2", user: 6, seat: "seat1")],
      obstacle: .severalSeats),
    Scene(
      testDescription: "only a session that is over",
      sessions: [Session(kind: "background")], obstacle: .otherUser),
  ]

  @Test(arguments: scenes) func `who is at the reader for a login`(scene: Scene) throws {
    for session in scene.sessions {
      try host.addSession(
        session.id, user: session.user, name: "u\(session.user)",
        seat: session.seat.isEmpty ? "seat0" : session.seat)
      if session.seat.isEmpty { try host.takeSeat(of: session.id) }
      try host.setProperties(
        [
          ("Class", .string(session.kind)), ("Active", .bool(session.isActive)),
          ("Remote", .bool(session.isRemote)),
        ], of: session.id)
      try host.setSession("", user: session.user)
    }
    if case .session(let id) = scene.place { try host.setSession(id, process: 100) }
    let directory = SessionDirectory(loop: host.loop, bus: host.bus, limit: 1000)
    try host.wait("the sessions") {
      directory.isPresent && directory.all.count == scene.sessions.count
    }
    let answer: SessionAnswer = try host.answer("a session") { done in
      directory.session(ofProcess: 100, uid: 5, controlGroup: "", completion: done)
    }
    #expect(
      directory.loginObstacle(answer, uid: 5, isOnActiveTerminal: scene.isOnActiveTerminal)
        == scene.obstacle)
  }
}
