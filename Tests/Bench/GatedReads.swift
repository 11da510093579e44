import Glibc
import HostAuthentication
import Systemd
import TestHost
import WhorlClient
import Wire

/// Reads by a finger, through PAM and fprintd, against `pamtester` on the same service. The finger
/// touches as soon as fprintd says that it waits for one, in both alike.
enum GatedReads {
  private static let rounds = 20

  static func measure(_ host: PrivateHost, _ report: inout Report) throws {
    report.head("A read by finger, through pam_fprintd")
    try host.enroll("anna", user: "root")
    let finger = try Finger(host)
    let keychain = host.keychain(finger)
    try keychain.add("gated", .biometryAny)
    // PAM reads /etc/pam.d here, where bench.sh put the same service file.
    let pamtester = Program(
      words: ["/usr/bin/pamtester", "whorl-biometry", "root", "authenticate", "acct_mgmt"],
      environment: ["DBUS_SYSTEM_BUS_ADDRESS=\(host.busAddress)"])
    var whole: [[UInt64]] = [[], []]
    var touch: [[UInt64]] = [[], []]
    var release: [UInt64] = []
    for _ in 0..<rounds {
      // A reader that rests, and no match so near that the finger would have to be lifted.
      usleep(3_100_000)
      var start = now()
      let pid = try pamtester.spawn()
      try finger.serveUntilMatch()
      try pamtester.wait(pid)
      whole[0].append(now() - start)
      touch[0].append(now() - finger.selected)
      usleep(300_000)
      start = now()
      _ = try keychain.read(.bench("gated"))
      let end = now()
      whole[1].append(end - finger.shown)
      touch[1].append(end - finger.selected)
      release.append(end - finger.matched)
    }
    for (index, name) in ["pamtester", "whorl"].enumerated() {
      report.keep("gated \(name) ns", whole[index])
      report.keep("gated \(name) from touch ns", touch[index])
    }
    report.keep("match to secret ns", release)
    report.row("pamtester, start to end", Double(whole[0].median) / 1e6, "ms")
    report.row("whorl, arming to secret", Double(whole[1].median) / 1e6, "ms")
    report.row("whorl to pamtester", ratio(whole[1], to: whole[0]), "×", .atMost(1.1))
    report.row("the same, from the touch on", ratio(touch[1], to: touch[0]), "×")
    report.row("verify-match to secret", Double(release.median) / 1e6, "ms", .atMost(5))
    try measureWorker(host, &report)
  }

  /// An account takes three questions, each to a worker of its own.
  private static func measureWorker(_ host: PrivateHost, _ report: inout Report) throws {
    var times: [UInt64] = []
    for _ in 0..<50 {
      let accounts = AccountDirectory(loop: host.loop, socket: host.workerSocket)
      times.append(
        try timed {
          let answer: AccountAnswer = try host.answer("an account") { done in
            accounts.lookup(0, completion: done)
          }
          guard case .known = answer else { throw PrivateHost.Missing("the account root") }
        } / 3)
    }
    report.keep("worker ns", times)
    report.row("one worker: start, question, answer", Double(times.median) / 1e6, "ms")
  }
}

/// A finger that touches when fprintd waits for one. It watches the bus while the request runs.
private final class Finger: Prompter, @unchecked Sendable {
  private(set) var shown: UInt64 = 0
  private(set) var selected: UInt64 = 0
  private(set) var matched: UInt64 = 0
  private let bus: Bus
  private var slots: [BusSlot] = []
  private let reader: String
  private var touching: Int32 = -1

  init(_ host: PrivateHost) throws {
    reader = host.folder + "/device.sock"
    bus = try Bus(address: host.busAddress)
    let rule = "type='signal',interface='net.reactivated.Fprint.Device',member="
    slots = [
      try bus.subscribe(rule + "'VerifyFingerSelected'") { [weak self] _ in self?.touch() },
      try bus.subscribe(rule + "'VerifyStatus'") { [weak self] message in
        if message.body.first?.text == "verify-match" { self?.matched = now() }
      },
    ]
    let end = now() + 300_000_000
    while now() < end { serve(milliseconds: 10) }
  }

  func serveUntilMatch() throws {
    let start = now()
    while matched < start {
      guard now() < start + 10_000_000_000 else { throw PrivateHost.Missing("a match") }
      serve(milliseconds: 1000)
    }
  }

  private func serve(milliseconds: Int32) {
    var poller = pollfd(fd: bus.fileDescriptor, events: bus.events, revents: 0)
    poll(&poller, 1, milliseconds)
    bus.process()
  }

  private func touch() {
    selected = now()
    close(touching)
    touching = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(reader.utf8)) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    _ = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(touching, $0, size) }
    }
    send(touching, "SCAN anna", 9, Int32(MSG_NOSIGNAL))
    shutdown(touching, Int32(SHUT_WR))
  }

  var isAvailable: Bool { true }
  func queued(program: [UInt8], item: [UInt8]) {}
  func show(_ prompt: Prompt) -> Bool {
    shown = now()
    return true
  }
  func armed() {}
  func notice(_ notice: Notice) {}
  var descriptors: [Int32] { [bus.fileDescriptor] }
  func input(at descriptor: Int32) -> PromptInput {
    bus.process()
    return .nothing
  }
  func end() {}
}
