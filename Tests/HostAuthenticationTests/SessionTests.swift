import HostAuthentication
import Systemd
import TestHost
import Testing

@Suite(.serialized) final class SessionTests {
  let host: PrivateHost
  private static let userUnit = "/user.slice/user-5.slice/user@5.service/app.slice/a.service"

  init() throws {
    host = try PrivateHost()
  }

  /// A directory that knows of `count` sessions.
  private func directory(_ count: Int) throws -> SessionDirectory {
    let directory = SessionDirectory(loop: host.loop, bus: host.bus, limit: 1000)
    try host.wait("the sessions") { directory.isPresent && directory.all.count == count }
    return directory
  }

  private func answer(
    _ directory: SessionDirectory, pid: Int32 = 100, controlGroup: String = ""
  ) throws -> SessionAnswer {
    try host.answer("a session") { done in
      directory.session(
        ofProcess: pid, uid: 5, controlGroup: controlGroup, completion: done)
    }
  }

  private func desk(_ properties: [(String, BusValue)] = []) throws -> SessionDirectory {
    try host.startLogind()
    try host.setSession("c1", process: 100)
    try host.addSession("c1")
    if !properties.isEmpty { try host.setProperties(properties, of: "c1") }
    return try directory(1)
  }

  @Test func `a process of an active local session may use the reader`() throws {
    let directory = try desk()
    let answer = try answer(directory)
    #expect(directory.biometryObstacle(answer, uid: 5) == nil)
    #expect(directory.biometryObstacle(answer, uid: 6) == .otherUser)
    #expect(directory.isUnlocked(5, hasUsablePassword: true))
  }

  @Test(
    arguments: [
      ("Remote", true, SessionObstacle.remote), ("Active", false, SessionObstacle.notActive),
    ])
  func `a session that is remote or not active may not`(
    _ property: String, _ value: Bool, _ obstacle: SessionObstacle
  ) throws {
    let directory = try desk()
    try host.setProperties([(property, .bool(value))], of: "c1")
    try host.wait("the change") {
      directory.biometryObstacle(try answer(directory), uid: 5) == obstacle
    }
  }

  @Test func `a session of another class may not`() throws {
    let directory = try desk([("Class", .string("greeter"))])
    #expect(directory.biometryObstacle(try answer(directory), uid: 5) == .notOfUser)
  }

  @Test func `active sessions on two seats refuse biometry`() throws {
    let directory = try desk()
    try host.addSession("c2", user: 6, seat: "seat1")
    directory.refresh()
    try host.wait("the second session") { directory.all.count == 2 }
    #expect(directory.biometryObstacle(try answer(directory), uid: 5) == .severalSeats)
  }

  @Test func `a process of the user's manager stands in the display session`() throws {
    let directory = try desk()
    #expect(try answer(directory, pid: 200, controlGroup: Self.userUnit) == .none)
    try host.setDisplay("c1", user: 5)
    directory.refresh()
    try host.wait("the display session") {
      try answer(directory, pid: 200, controlGroup: Self.userUnit) != .none
    }
    #expect(try answer(directory, pid: 200, controlGroup: "/system.slice/a.service") == .none)
    #expect(
      try answer(directory, pid: 200, controlGroup: "/x/user@55.service/a") == .none)
  }

  @Test func `a lock signal holds until a login or the desktop's unlock`() throws {
    let directory = try desk()
    var locked: [UInt32] = []
    directory.onLock = { locked.append($0) }
    try host.lockSession("c1", true)
    try host.wait("the lock") { !directory.isUnlocked(5, hasUsablePassword: true) }
    #expect(locked == [5])
    #expect(directory.lacksLockHint(5))
    // Any program of the user may have logind send this.
    try host.lockSession("c1", false)
    for _ in 0..<20 { try host.loop.turn(limit: 10) }
    #expect(!directory.isUnlocked(5, hasUsablePassword: true))
    try host.unlockSession("c1")
    try host.wait("the unlock") { directory.isUnlocked(5, hasUsablePassword: true) }
    #expect(!directory.lacksLockHint(5))
    try host.lockSession("c1", true)
    try host.wait("the lock") { !directory.isUnlocked(5, hasUsablePassword: true) }
    directory.loggedIn(6)
    #expect(!directory.isUnlocked(5, hasUsablePassword: true))
    directory.loggedIn(5)
    #expect(directory.isUnlocked(5, hasUsablePassword: true))
  }

  @Test func `the desktop's unlock ends a lock by whorl`() throws {
    let directory = try desk()
    directory.lock(5)
    #expect(!directory.isUnlocked(5, hasUsablePassword: true))
    try host.setProperties([("LockedHint", .bool(true))], of: "c1")
    try host.setProperties([("LockedHint", .bool(false))], of: "c1")
    try host.wait("the unlock") { directory.isUnlocked(5, hasUsablePassword: true) }
  }

  @Test func `users without a session are locked unless they have no password`() throws {
    let directory = try desk()
    #expect(!directory.isUnlocked(1000, hasUsablePassword: true))
    #expect(directory.isUnlocked(1000, hasUsablePassword: false))
  }

  @Test func `a signal of anyone but logind changes nothing`() throws {
    let directory = try desk()
    // Straight to us from another connection, past every match rule.
    let forger = try host.run(
      [
        "/usr/bin/python3", "-c",
        """
        import dbus, dbus.lowlevel, sys
        bus = dbus.bus.BusConnection(sys.argv[1])
        for name in bus.list_names():
            if name.startswith(':'):
                m = dbus.lowlevel.SignalMessage('/org/freedesktop/login1/session/c1',
                                                'org.freedesktop.login1.Session', 'Lock')
                m.set_destination(name)
                bus.send_message(m)
        bus.flush()
        """, host.busAddress,
      ])
    #expect(forger.status == 0)
    for _ in 0..<20 { try host.loop.turn(limit: 10) }
    #expect(directory.isUnlocked(5, hasUsablePassword: true))
  }

  @Test func `sleep waits until the reader is free`() throws {
    let directory = try desk()
    var done: (() -> Void)?
    directory.willSleep = { done = $0 }
    try host.wait("the inhibitor") { try host.inhibitors() == 1 }
    try host.announceSleep(true)
    try host.wait("the announcement") { done != nil }
    #expect(directory.isSleeping)
    #expect(try host.inhibitors() == 1)
    done?()
    try host.wait("the release") { try host.inhibitors() == 0 }
    try host.announceSleep(false)
    try host.wait("the inhibitor again") { try host.inhibitors() == 1 }
    #expect(!directory.isSleeping)
  }

  @Test func `a sleep that is called off leaves the lock to the next one`() throws {
    let directory = try desk()
    var ends: [() -> Void] = []
    directory.willSleep = { ends.append($0) }
    try host.wait("the inhibitor") { try host.inhibitors() == 1 }
    try host.announceSleep(true)
    try host.wait("the announcement") { ends.count == 1 }
    try host.announceSleep(false)
    try host.wait("the end") { !directory.isSleeping }
    // What was asked for first is answered first: the new lock is there, and the old one gives way.
    _ = try host.inhibitors()
    try host.wait("one inhibitor") { try host.inhibitors() == 1 }
    ends[0]()
    try host.announceSleep(true)
    try host.wait("the next announcement") { ends.count == 2 }
    #expect(try host.inhibitors() == 1)
    ends[1]()
    try host.wait("the release") { try host.inhibitors() == 0 }
  }

  @Test func `a lock that logind was too busy to give is asked for again`() throws {
    let directory = try desk()
    try host.wait("the inhibitor") { try host.inhibitors() == 1 }
    try host.announceSleep(true)
    try host.wait("the release") { try host.inhibitors() == 0 }
    try host.refuseInhibitors(true)
    try host.announceSleep(false)
    try host.wait("the end") { !directory.isSleeping }
    #expect(try host.inhibitors() == 0)
    try host.refuseInhibitors(false)
    try host.wait("the inhibitor again") { try host.inhibitors() == 1 }
    withExtendedLifetime(directory) {}
  }

  @Test func `without logind there is no session`() throws {
    let directory = SessionDirectory(loop: host.loop, bus: host.bus, limit: 500)
    let answer = try answer(directory)
    #expect(answer == .absent)
    #expect(directory.biometryObstacle(answer, uid: 5) == .noSessionService)
    #expect(!directory.isPresent)
  }

  @Test func `logind that dies takes its sessions along`() throws {
    let directory = try desk()
    host.stop("logind")
    try host.wait("the loss") { !directory.isPresent }
    #expect(directory.all.isEmpty)
    #expect(!directory.isUnlocked(5, hasUsablePassword: true))
  }
}
