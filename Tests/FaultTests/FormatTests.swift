import Foundation
import Glibc
import SQLite
import TestHost
import Testing
import WhorlKit
import Wire

/// Stores of other formats: an older one is upgraded, whatever interrupts it; a later one is left
/// alone.
@Suite(.serialized) struct FormatTests {
  /// A store with items, as the first format had it: no notes of generations.
  private static func firstFormat(_ service: Service, _ model: inout CrashModel) throws {
    try Scenario.all[0].prepare(service, &model)
    let database = try Connection(path: database(service))
    try database.execute("DROP TABLE generation; PRAGMA user_version=1")
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private static func database(_ service: Service) -> String {
    "\(service.state)/users/0-root/items.db"
  }

  private static func format(_ service: Service) throws -> Int64 {
    var version: Int64 = -1
    try Connection(path: database(service)).prepare("PRAGMA user_version").rows([]) { row in
      version = row.integer(0)
      return false
    }
    return version
  }

  @Test func `an upgrade interrupted at any write leaves the old store or the new`() throws {
    let service = try Service()
    let prints = try PrintSets(service.host)
    var model = CrashModel()
    try Self.firstFormat(service, &model)
    let saved = "\(service.host.folder)/saved"
    try service.host.copy(service.state, saved)
    let calls = try SystemCalls(
      folder: service.host.folder, SystemCalls.writes + SystemCalls.opens)
    let trigger = Trigger(calls) { $0.path.contains("/items.db") }
    var (steps, formats) = (0, Set<Int64>())
    while true {
      try FileManager.default.removeItem(atPath: service.state)
      try service.host.copy(saved, service.state)
      service.calls = calls
      try service.start()
      trigger.arm(steps + 1, .kill)
      _ = failure { try service.keychain.list() }
      service.stop()
      guard let hit = trigger.hit else { break }
      trigger.disarm()
      steps += 1
      formats.insert(try Self.format(service))
      service.calls = nil
      try service.start()
      do { try model.verify(service.keychain) } catch { Issue.record("\(error) after \(hit)") }
      service.stop(SIGTERM)
      #expect(try Self.format(service) == 3)
    }
    #expect(formats == [1, 3])
    print("upgrade: killed at \(steps) steps")
    // The upgraded store does all that a store does.
    trigger.disarm()
    service.calls = nil
    try service.start()
    try prints.put(1)
    model.changePrints(1)
    try model.verify(service.keychain)
    #expect(try Self.format(service) == 3)
  }

  @Test func `an upgrade without space leaves the old store, which is upgraded later`() throws {
    let service = try Service()
    _ = try PrintSets(service.host)
    var model = CrashModel()
    try Self.firstFormat(service, &model)
    let calls = try SystemCalls(folder: service.host.folder, SystemCalls.writes)
    service.calls = calls
    try service.start()
    calls.decide { $0.path.contains("/items.db") ? .fail(ENOSPC) : .go }
    #expect(failure { try service.keychain.list() }?.code == .storageFull)
    calls.letAllGo()
    try model.verify(service.keychain)
    #expect(try Self.format(service) == 3)
  }

  @Test func `a store of a later format is refused, said so, and left as it is`() throws {
    let service = try Service()
    let prints = try PrintSets(service.host)
    var model = CrashModel()
    try Scenario.all[0].prepare(service, &model)
    try Connection(path: Self.database(service)).execute(
      "PRAGMA user_version=4; PRAGMA journal_mode=DELETE")
    let before = FileManager.default.contents(atPath: Self.database(service))
    try service.start()
    let keychain = service.keychain
    let calls: [(String, () throws -> Any)] = [
      ("list", { try keychain.list() }), ("read", { try keychain.value("old") }),
      ("add", { try keychain.add("new", [1]) }), ("show", { try keychain.show(.named("old")) }),
      ("delete", { try keychain.delete(.named("old")) }),
    ]
    for (name, call) in calls {
      let error = failure(call)
      let detail = String(decoding: error?.detail ?? [], as: UTF8.self)
      #expect(error?.code == .unavailable && detail.contains("later version"), "\(name)")
    }
    try service.keychain(of: 5).add("theirs", [1])
    service.stop(SIGTERM)
    #expect(FileManager.default.contents(atPath: Self.database(service)) == before)
    // Back under the version that wrote it, all of it is there.
    try Connection(path: Self.database(service)).execute("PRAGMA user_version=3")
    try service.start()
    try model.verify(service.keychain)
    withExtendedLifetime(prints) {}
  }
}
