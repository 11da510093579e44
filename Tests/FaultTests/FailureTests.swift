import Foundation
import Glibc
import TestHost
import Testing
import WhorlKit
import Wire

/// A device that fails: every system call by which an operation writes, one after another.
@Suite(.serialized) struct FailureTests {
  /// An error of the system, and what clients may hear of it.
  struct Fault: CustomTestStringConvertible {
    let testDescription: String
    let errno: Int32
    let code: FailureCode
  }

  static let faults = [
    Fault(testDescription: "EIO", errno: EIO, code: .unavailable),
    Fault(testDescription: "ENOSPC", errno: ENOSPC, code: .storageFull),
    Fault(testDescription: "EROFS", errno: EROFS, code: .unavailable),
  ]

  @Test(arguments: faults)
  func `a write that fails anywhere is told, changes nothing, and works when tried again`(
    fault: Fault
  ) throws {
    let service = try Service()
    let prints = try PrintSets(service.host)
    var model = CrashModel()
    try Scenario.all[0].prepare(service, &model)
    let calls = try SystemCalls(folder: service.host.folder, SystemCalls.writes)
    service.calls = calls
    try service.start()
    let state = service.state
    let trigger = Trigger(calls) { $0.path.hasPrefix(state) }
    for scenario in Scenario.all {
      var steps = 0
      while true {
        trigger.arm(steps + 1, .fail(fault.errno))
        try prints.put(scenario.prints)
        model.changePrints(scenario.prints)
        let operation = scenario.operation()
        let before = model
        let error = failure { try operation.perform(before, service.keychain) }
        trigger.disarm()
        if error == nil { model.acknowledge(operation) }
        guard let hit = trigger.hit else { break }
        steps += 1
        do {
          try Self.check(service, &model, operation, fault, hit, error)
          try Self.reset(prints, &model, service.keychain)
        } catch {
          Issue.record("\(scenario.testDescription): \(error) after \(hit)")
          return
        }
      }
      try Self.reset(prints, &model, service.keychain)
      #expect(steps > 1)
    }
    #expect(service.isRunning)
    try model.verifyRecord(service.keychain)
    service.stop(SIGTERM)
    try CrashTests.verifyWholeRecords("\(service.state)/audit")
  }

  private static func check(
    _ service: Service, _ model: inout CrashModel, _ operation: CrashModel.Operation,
    _ fault: Fault, _ hit: String, _ error: KeychainError?
  ) throws {
    let isSync = hit.contains("sync")
    let isRecord = hit.hasSuffix("/audit/0.log")
    if let error {
      // SQLite does not say why a file cannot be synced; and room for the record was taken before.
      let isBare = error.code == .unavailable && (isSync || isRecord)
      #expect(error.code == fault.code || isBare, "\(error) after \(hit)")
      #expect(!error.detail.isEmpty || error.code == .storageFull, "\(hit)")
    }
    let isDone = error.map { String(decoding: $0.detail, as: UTF8.self) }?.hasPrefix("it was done")
    if isDone == true {
      #expect(isRecord)
      model.acknowledge(operation)
    }
    try model.verify(service.keychain)
    if isSync, fault.errno == EIO {
      // Nothing of what failed may come true later.
      service.stop()
      model.restarted()
      try service.start()
      try model.verify(service.keychain)
    }
    if error != nil, isDone != true {
      try operation.perform(model, service.keychain)
      model.acknowledge(operation)
      try model.verify(service.keychain)
    }
    if isDone == true { model.restarted() }
  }

  /// Back to what the scenarios begin with.
  private static func reset(
    _ prints: PrintSets, _ model: inout CrashModel, _ keychain: Keychain
  ) throws {
    try prints.put(0)
    model.changePrints(0)
    for name in model.items.keys where !["old", "bound"].contains(name) {
      try keychain.delete(.named(name))
      model.acknowledge(.delete(name))
    }
    for (name, bound) in [("old", nil), ("bound", 0)] {
      let write = CrashModel.Operation.put(
        name, CrashModel.Write(secret: [1, 2, 3], label: "r", prints: bound), .add)
      try write.perform(model, keychain)
      model.acknowledge(write)
    }
  }
}
