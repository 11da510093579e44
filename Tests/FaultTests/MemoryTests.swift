import Foundation
import Glibc
import TestHost
import Testing
import WhorlKit
import Wire

/// Want of memory and of threads: busy for the request that needs it, nothing for the others.
@Suite(.serialized) struct MemoryTests {
  /// Root may lock what it likes; the daemon here may not.
  private static func limited(memlock: Int) -> [String] {
    [
      "/usr/bin/setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock", "/usr/bin/prlimit",
      "--memlock=\(memlock)",
    ]
  }

  @Test func `where no memory can be locked, the daemon refuses to start and says so`() throws {
    let service = try Service()
    service.prefix = Self.limited(memlock: 0)
    #expect(try service.refusal()?.contains("no memory can be locked") == true)
  }

  @Test func `used-up locked memory is busy for one request, and loses no generation`() throws {
    let service = try Service(["write-limit = 1000"])
    _ = try PrintSets(service.host)
    service.prefix = Self.limited(memlock: 1024 * 1024)
    try service.start()
    try service.keychain.add("bound", [1], policy: "biometryCurrentSet")
    try service.keychain.add("open", [2])
    let large = [UInt8](repeating: 9, count: 900_000)
    for _ in 0..<3 {
      let error = failure { try service.keychain.add("large", large) }
      #expect(error?.code == .busy && error?.problem == nil, "\(error as Any)")
      #expect(try service.keychain.value("open") == [2])
    }
    service.stop(SIGTERM)
    // A fresh start has not looked at the generations yet, and now gets no memory to do so.
    try service.start()
    let crowd = try [60_000, 8_000, 1_000, 64].flatMap { size in
      try (0..<40).map { _ in
        let client = try #require(RawClient(service.socket))
        client.sayHello()
        client.send(FrameHeader(secretCount: size).encoded + [1])
        return client
      }
    }
    let shown = try? service.keychain.show(.named("bound"))
    #expect(shown?.binding != .live)
    for index in 0..<5 {
      let error = failure {
        try service.keychain.add("x\(index)", [1], policy: "biometryCurrentSet")
      }
      #expect(error?.problem == nil && [.busy, .unavailable].contains(error?.code), "\(index)")
    }
    #expect(crowd.allSatisfy { $0.ends(within: 10) })
    #expect(try service.keychain.show(.named("bound")).binding == .live)
    try service.keychain.add("after", [1], policy: "biometryCurrentSet")
    service.stop(SIGTERM)
    try service.start()
    #expect(try service.keychain.show(.named("bound")).binding == .live)
    #expect(try service.keychain.show(.named("after")).binding == .live)
  }

  @Test func `without memory for a password's stretching the request is busy, and others go on`()
    throws
  {
    let service = try Service()
    try service.start()
    try service.keychain.add("open", [2])
    try service.add("own", password: "p")
    let size = service.addressSpace
    try service.limit("--as=\(size + 24 * 1024 * 1024):")
    for _ in 0..<3 {
      let error = failure { try service.add("other", password: "p") }
      #expect(error?.code == .busy && error?.problem == nil, "\(error as Any)")
      #expect(try service.keychain.value("open") == [2])
    }
    try service.limit("--as=unlimited:")
    try service.add("other", password: "p")
    #expect(service.isRunning)
  }

  @Test func `without descriptors a request is busy, no generation ends, and it passes`() throws {
    let service = try Service()
    _ = try PrintSets(service.host)
    try service.start()
    try service.keychain.add("bound", [1], policy: "biometryCurrentSet")
    let games = service.keychain(of: 5)
    try games.add("theirs", [3])
    try service.host.copyPrintsOfRoot(to: "games")
    try games.add("bound", [1], policy: "biometryCurrentSet")
    // What is open stays open; nothing more can be.
    for spare in 0..<6 {
      let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.pid)/fd")
      try service.limit("--nofile=\(open.count + spare):")
      for (keychain, name) in [(service.keychain, "a\(spare)"), (games, "b\(spare)")] {
        if let error = failure({ try keychain.add(name, [1], policy: "biometryCurrentSet") }) {
          #expect([.busy, .unavailable].contains(error.code) && error.problem == nil, "\(error)")
        }
        _ = failure { try keychain.show(.named("bound")) }
      }
    }
    try service.limit("--nofile=1000:")
    for keychain in [service.keychain, games] {
      #expect(try keychain.show(.named("bound")).binding == .live)
      try keychain.add("after", [1], policy: "biometryCurrentSet")
    }
    service.stop(SIGTERM)
    try service.start()
    for keychain in [service.keychain, games] {
      #expect(try keychain.show(.named("bound")).binding == .live)
      #expect(try keychain.show(.named("after")).binding == .live)
    }
  }
}

extension Service {
  fileprivate func add(_ name: String, password: String) throws(KeychainError) {
    try keychain.add(
      name, [1], policy: "none + applicationPassword", password: Array(password.utf8),
      replacing: true)
  }

  /// Bytes that are mapped.
  fileprivate var addressSpace: Int {
    let text = (try? String(contentsOfFile: "/proc/\(pid)/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").first ?? "") ?? 0) * 4096
  }

  /// Changes a limit of the daemon while it runs.
  fileprivate func limit(_ option: String) throws {
    let result = try host.run(["/usr/bin/prlimit", "--pid=\(pid)", option])
    guard result.status == 0 else { throw PrivateHost.Missing(result.error) }
  }
}

extension PrivateHost {
  fileprivate func copyPrintsOfRoot(to user: String) throws {
    try copy("\(prints)/root", "\(prints)/\(user)")
  }
}
