import Foundation
import Glibc
import TestHost
import Testing
import Wire

/// Who is at the other end, when that changes.
@Suite(.serialized, .host()) final class PeerTests {
  let host: PrivateHost

  init() throws {
    host = try OneHost.get()
    try host.store("open", replacing: true)
    try host.store("gated", "devicePasscode", replacing: true)
  }

  /// A connection of the process whose prompt for the gated item is shown.
  private func asking(_ connector: Connector) throws -> (RawClient, UInt32) {
    let client = try connector.connect()
    client.ask(.read([Raw.item("gated")]))
    return (client, try client.show().id)
  }

  @Test func `a connection in other hands is that of the process which opened it, while it lives`()
    throws
  {
    let connector = try Connector(host, user: PrivateHost.other)
    try host.store("own", user: PrivateHost.other)
    let client = try connector.connect()
    client.ask(.read([Raw.item("own")]))
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    client.askAgain(.read([Raw.item("open")]))
    #expect(client.outcome() == .failed(.notFound))
    let record = try #require(try host.records(user: PrivateHost.other).last)
    #expect(record.process == connector.pid && record.user == PrivateHost.other)
    connector.end()
    client.askAgain(.read([Raw.item("own")]))
    #expect(client.outcome() == .failed(.changedMeanwhile))
  }

  @Test func `a process that is gone when it is looked at is refused`() throws {
    let connector = try Connector(host)
    var client: RawClient?
    try host.whileStopped {
      client = try connector.connect()
      client?.ask(.read([Raw.item("open")]))
      connector.end()
    }
    #expect(client?.outcome() == .closed)
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `a process number that is used again is not the process that connected`() throws {
    let connector = try Connector(host)
    let waiting = try connector.connect()
    waiting.ask(.read([Raw.item("open")]))
    #expect(waiting.outcome() == .secrets([PrivateHost.secret]))
    let (asked, prompt) = try asking(connector)
    var unseen: RawClient?
    var successor: Connector?
    try host.whileStopped {
      unseen = try connector.connect()
      unseen?.ask(.read([Raw.item("open")]))
      connector.end()
      // The kernel gives out the next number; setpriv and setsid keep theirs when they become the
      // program.
      try "\(connector.pid - 1)".write(
        toFile: "/proc/sys/kernel/ns_last_pid", atomically: false, encoding: .utf8)
      successor = try Connector(host)
      try host.wait("the same program") { (try? successor?.connect()) != nil }
    }
    #expect(successor?.pid == connector.pid)
    #expect(unseen?.outcome() == .closed)
    waiting.askAgain(.read([Raw.item("open")]))
    #expect(waiting.outcome() == .failed(.changedMeanwhile))
    asked.type(PrivateHost.password, at: prompt)
    #expect(asked.outcome() == .failed(.changedMeanwhile))
    // The successor is a client like any other.
    let own = try successor?.connect()
    own?.ask(.read([Raw.item("open")]))
    #expect(own?.outcome() == .secrets([PrivateHost.secret]))
  }

  @Test func `a program that became another asks nobody and gets nothing`() throws {
    let connector = try Connector(host)
    let before = try connector.connect()
    before.send(Raw.hello)
    #expect(before.next() == .message(.hello(version: 1)))
    try connector.become("/bin/sleep")
    for item in ["gated", "open"] {
      before.send(Raw.read(item))
      #expect(
        before.next()
          == .message(.failed(Failure(.changedMeanwhile, detail: Array("the asking program".utf8))))
      )
    }
  }

  @Test func `a program that becomes another while a person is asked gets nothing`() throws {
    let connector = try Connector(host)
    let (client, prompt) = try asking(connector)
    try connector.become("/bin/sleep")
    client.type(PrivateHost.password, at: prompt)
    #expect(client.outcome() == .failed(.changedMeanwhile))
    #expect(try host.records().last?.failure == .changedMeanwhile)
  }

  @Test func `a program whose file is replaced is still the one that runs, and no other`() throws {
    let path = "\(host.folder)/program"
    try host.copy("/usr/bin/python3", "\(host.folder)/program.link")
    try host.copy(
      URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path, path)
    let connector = try Connector(host, program: path)
    let (client, prompt) = try asking(connector)
    #expect(rename("\(host.folder)/program.link", path) == 0)
    client.type(PrivateHost.password, at: prompt)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    // What runs under that name from now on is another program.
    try connector.become(path)
    client.askAgain(.read([Raw.item("open")]))
    #expect(client.outcome() == .failed(.changedMeanwhile))
  }

  @Test func `rights that a process gains or loses later change nothing`() throws {
    try host.store("roots", user: 0)
    let own = try RawClient(host)
    let root = try RawClient(host, user: 0)
    for user in [0, PrivateHost.other, PrivateHost.games] {
      setegid(user)
      seteuid(user)
      if user == 0 { own.send(Raw.hello + Raw.frame(Raw.read("roots"))) }
      if user == PrivateHost.games { root.send(Raw.hello + Raw.frame(Raw.read("open"))) }
      seteuid(0)
      setegid(0)
    }
    #expect(own.outcome() == .failed(.notFound) && root.outcome() == .failed(.notFound))
    own.askAgain(.read([Raw.item("open")]))
    root.askAgain(.delete(Raw.item("roots")))
    #expect(own.outcome() == .secrets([PrivateHost.secret]) && root.outcome() == .done)
  }

  @Test func `a stopped process is asked nothing, whoever speaks for it`() throws {
    let connector = try Connector(host)
    let client = try connector.connect()
    client.ask(.read([Raw.item("gated")]))
    let prompt = try client.prompt()
    kill(connector.pid, SIGSTOP)
    client.send(.shown(prompt: prompt.id))
    #expect(client.outcome() == .failed(.timedOut))
  }

  @Test func `descriptors that are sent along are closed, and change no message`() throws {
    let before = try host.descriptorsAtRest()
    let passed = (0..<100).map { _ in open("/etc/passwd", O_RDONLY | O_CLOEXEC) }
    defer { for descriptor in passed { close(descriptor) } }
    let client = try RawClient(host)
    for byte in Raw.hello {
      #expect(Descriptors.send(passed, with: [byte], to: client.descriptor))
    }
    let request = Raw.frame(Raw.read("open"))
    // Its own end, too: a circle that only the kernel can break.
    #expect(Descriptors.send([client.descriptor], with: request, to: client.descriptor))
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    #expect(try host.descriptors() <= before + 3)
    client.leave()
    try host.wait("the connection to end") { try host.descriptors() <= before }
  }
}
