import Foundation
import Glibc
import TestHost

/// A process of some user's that opens connections and hands them to the test, and that the test
/// may stop, end, or turn into another program, while the connections stay open.
final class Connector {
  private static let script = """
    import os, socket, sys
    control = socket.socket(fileno=0)
    kept = []
    while True:
        order = control.recv(4096).decode()
        if order == 'connect':
            kept.append(socket.socket(socket.AF_UNIX))
            kept[-1].connect(sys.argv[1])
            socket.send_fds(control, [b'+'], [kept[-1].fileno()])
        elif order.startswith('open '):
            os.open(order[5:], os.O_RDWR)
            control.send(b'+')
        elif order:
            os.execv(order, [order, '60'])
        else:
            break
    """

  let child: Child
  private let host: PrivateHost
  private let control: Int32
  var pid: pid_t { child.pid }

  init(
    _ host: PrivateHost, user: uid_t = PrivateHost.games, program: String = "/usr/bin/python3"
  ) throws {
    var ends: [Int32] = [-1, -1]
    guard
      socketpair(
        AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0
    else { throw PrivateHost.Missing("no pair of sockets") }
    self.host = host
    control = ends[0]
    defer { close(ends[1]) }
    child = try Child(
      [program, "-S", "-c", Self.script, host.socket],
      environment: ["PATH": "/usr/bin:/bin", "PYTHONHOME": "/usr"], user: user, input: ends[1])
  }

  deinit { close(control) }

  /// A connection that this process opened.
  func connect() throws -> RawClient {
    order("connect")
    return RawClient(taking: try Descriptors.receive(from: control))
  }

  /// Turns the process into another program, which waits.
  func become(_ program: String) throws {
    let before = executable
    order(program)
    try host.wait("another program") { executable != before }
    // A look that was just made serves for 100 ms.
    usleep(150_000)
  }

  /// Has it call an exec that waits for a file to be closed.
  func hang(in program: String, closing file: String) {
    order("open \(file)")
    var byte: UInt8 = 0
    recv(control, &byte, 1, 0)
    order(program)
  }

  func end() { child.end() }

  private var executable: String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
  }

  private func order(_ word: String) {
    _ = Glibc.send(control, word, word.utf8.count, Int32(MSG_NOSIGNAL))
  }
}
