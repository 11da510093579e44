import Foundation
import Glibc
import TestHost
import Testing
import WhorlKit
import Wire

/// A disk that is full, turned read-only or cannot be read: what fails says so, the rest goes on,
/// and all of it works again when the disk does, without a restart.
@Suite(.serialized) struct DiskTests {
  private static func filled(_ service: Service) throws {
    try service.start()
    try service.keychain.add("kept", Array("kept secret".utf8))
    try service.keychain.add("bound", [1], policy: "biometryCurrentSet")
  }

  private static let large = [UInt8](repeating: 5, count: 20_000)

  /// Every operation that writes; each must fail with the code.
  private static func writesFail(_ keychain: Keychain, _ code: FailureCode) {
    let writes: [(String, () throws -> Void)] = [
      ("add", { try keychain.add("new", large) }),
      ("replace", { try keychain.add("kept", large, replacing: true) }),
      ("update", { try keychain.change("kept", large, label: "n") }),
      ("attributes", { try keychain.change("kept", label: String(repeating: "n", count: 9000)) }),
    ]
    for (name, write) in writes {
      let error = #expect(throws: KeychainError.self) { try write() }
      #expect(error?.code == code && error?.problem == nil, "\(name): \(error as Any)")
    }
  }

  private static func looksWork(_ keychain: Keychain) throws {
    #expect(try keychain.list().map(\.identity.account) == ["kept", "bound"])
    #expect(try keychain.show(.named("kept")).secretCount == 11)
    #expect(try keychain.show(.named("bound")).binding == .live)
    #expect(try keychain.log(limit: 10).contains { $0.action == .add })
  }

  private static func allWorks(_ service: Service) throws {
    try service.keychain.add("new", large)
    #expect(try service.keychain.value("new") == large)
    try service.keychain.change("kept", Array("changed".utf8), label: "c")
    #expect(try service.keychain.value("kept") == Array("changed".utf8))
    try service.keychain.add("bound", [2], policy: "biometryCurrentSet", replacing: true)
    try service.keychain.delete(.named("new"))
    service.stop(SIGTERM)
    try service.start()
    #expect(try service.keychain.value("kept") == Array("changed".utf8))
  }

  @Test func `on a full disk writes say so, reads go on, and space cures it`() throws {
    let service = try Service()
    _ = try PrintSets(service.host)
    try service.host.mountState(kibibytes: 4096)
    try Self.filled(service)
    try service.host.fillState()
    Self.writesFail(service.keychain, .storageFull)
    try Self.looksWork(service.keychain)
    // The record has room ahead.
    for _ in 0..<50 { #expect(try service.keychain.value("kept") == Array("kept secret".utf8)) }
    // A user who was never here before finds no room, and is told.
    try service.host.copy("\(PrivateHost.programs)/whorl", service.host.command)
    let list = try service.host.whorl(["list"])
    #expect(list.status == 1 && list.error.contains("disk is full"), "\(list)")
    service.host.freeState()
    try Self.allWorks(service)
    #expect(try service.host.whorl(["list"]).status == 0)
  }

  @Test func `what cannot be recorded is not released, and the record stays whole`() throws {
    let service = try Service()
    try service.host.mountState(kibibytes: 2048)
    try service.start()
    try service.keychain.add("kept", [7])
    try service.host.fillState()
    var error: KeychainError?
    for _ in 0..<2000 where error == nil {
      error = failure { try service.keychain.value("kept") }
    }
    #expect(error?.code == .storageFull)
    #expect(error.map { String(decoding: $0.detail, as: UTF8.self) }?.contains("audit") == true)
    try CrashTests.verifyWholeRecords("\(service.state)/audit")
    service.host.freeState()
    #expect(try service.keychain.value("kept") == [7])
    service.stop(SIGTERM)
    try CrashTests.verifyWholeRecords("\(service.state)/audit")
  }

  @Test func `a wrong item password and the end of its request have room in the record together`()
    throws
  {
    let service = try Service()
    try service.host.mountState(kibibytes: 2048)
    try service.start()
    let (plain, gated) = (
      String(repeating: "p", count: 4000), String(repeating: "g", count: 4000)
    )
    try service.keychain.add(plain, [7])
    try service.keychain.add(gated, [7], policy: "none + applicationPassword", password: [1])
    var wrong = 0
    for ahead in 0..<2 {
      // Room for a few records is taken with the second of these at the latest.
      for _ in 0..<2 { #expect(try service.keychain.value(plain) == [7]) }
      try service.host.fillState()
      for _ in 0..<ahead { #expect(try service.keychain.value(plain) == [7]) }
      while true {
        let before = try service.recorded()
        let context = try AuthContext(keychain: service.keychain)
        context.applicationPassword = try Keychain.locked([2])
        let error = failure { try service.keychain.read(.named(gated), context: context) }
        guard error?.code != .storageFull else { break }
        #expect(error?.code == .interactionNotAllowed)
        wrong += 1
        let limit = Date().addingTimeInterval(2)
        while try service.recorded() < before + 2, Date() < limit { usleep(1000) }
        #expect(try service.recorded() == before + 2)
      }
      service.host.freeState()
    }
    #expect(wrong > 2)
  }

  @Test func `a record cut short by a crash is cut off, and what follows it is read`() throws {
    let service = try Service()
    try service.start()
    try service.keychain.add("a", [1])
    service.stop()
    let path = "\(service.state)/audit/0.log"
    let whole = try #require(FileManager.default.contents(atPath: path))
    for count in [1, 3, 4, 5, whole.count - 1] {
      let file = try #require(FileHandle(forWritingAtPath: path))
      file.seekToEndOfFile()
      file.write(whole.prefix(count))
      file.closeFile()
      try service.start()
      try service.keychain.add("b", [2])
      try service.keychain.delete(.named("b"))
      #expect(try service.keychain.log(limit: 2).map(\.action) == [.add, .delete], "\(count)")
      service.stop()
      try CrashTests.verifyWholeRecords("\(service.state)/audit")
    }
  }

  @Test func `a store that turned read-only still lists, releases nothing, and comes back`() throws
  {
    let service = try Service()
    _ = try PrintSets(service.host)
    let calls = try SystemCalls(folder: service.host.folder, SystemCalls.writes)
    service.calls = calls
    try Self.filled(service)
    let state = service.state
    calls.decide { $0.path.hasPrefix(state) ? .fail(EROFS) : .go }
    Self.writesFail(service.keychain, .unavailable)
    try Self.looksWork(service.keychain)
    #expect(throws: KeychainError(.unavailable, detail: Self.unrecorded)) {
      try service.keychain.value("kept")
    }
    calls.letAllGo()
    try Self.allWorks(service)
  }

  private static let unrecorded = Array("the audit log cannot be written".utf8)

  @Test func `a store that cannot be read says so and is read when it can be`() throws {
    let service = try Service()
    _ = try PrintSets(service.host)
    try Self.filled(service)
    service.stop(SIGTERM)
    let calls = try SystemCalls(
      folder: service.host.folder, ["pread64", "read"] + SystemCalls.opens)
    service.calls = calls
    try service.start()
    for (name, error) in [("read", EIO), ("open", EIO), ("open", EMFILE)] {
      calls.decide { call in
        call.path.contains("/users/") && call.name.contains(name) ? .fail(error) : .go
      }
      let failure = #expect(throws: KeychainError.self) { try service.keychain.list() }
      #expect(failure?.code == (error == EMFILE ? .busy : .unavailable))
      #expect(throws: KeychainError.self) { try service.keychain.value("kept") }
      #expect(throws: KeychainError.self) { try service.keychain.add("new", [1]) }
    }
    calls.letAllGo()
    try Self.looksWork(service.keychain)
    try Self.allWorks(service)
  }

  @Test func `a daemon on a read-only file system refuses to start, and says why`() throws {
    let service = try Service()
    try service.host.mountState(kibibytes: 1024)
    #expect(try service.startedOnce)
    guard mount("none", service.state, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), "") == 0
    else { throw PrivateHost.Missing("remount: \(errno)") }
    #expect(
      try service.refusal()?.contains("\(service.state): the file system is read-only") == true)
  }

  @Test func `a limit on the size of files fails writes and ends nothing`() throws {
    let service = try Service()
    _ = try PrintSets(service.host)
    service.prefix = ["/usr/bin/prlimit", "--fsize=100000"]
    try Self.filled(service)
    var error: KeychainError?
    for index in 0..<20 where error == nil {
      error = failure { try service.keychain.add("\(index)", Self.large) }
    }
    // SQLite does not say that it is the limit.
    #expect(error?.code == .unavailable && error?.problem == nil)
    #expect(try service.keychain.value("kept") == Array("kept secret".utf8))
    #expect(service.isRunning)
  }
}

extension Service {
  /// Whether it starts and ends in order.
  fileprivate var startedOnce: Bool {
    get throws {
      try start()
      return stop(SIGTERM) == 0
    }
  }
}

extension Service {
  /// How many records of root's there are.
  fileprivate func recorded() throws -> Int {
    var decoder = Decoder(Array(try Data(contentsOf: URL(filePath: "\(state)/audit/0.log"))))
    var count = 0
    while decoder.remaining > 0 {
      _ = try decoder.string(limit: Limits.message)
      count += 1
    }
    return count
  }
}
