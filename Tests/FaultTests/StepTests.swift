import Foundation
import Glibc
import Synchronization
import TestHost
import Testing
import WhorlKit

/// The daemon killed before each system call by which it writes, one after another.
@Suite(.serialized) struct StepTests {
  @Test(arguments: [Scenario.firstStart] + Scenario.all)
  func `killed before any write, it leaves the whole state of before or after`(
    scenario: Scenario
  ) throws {
    let service = try Service()
    let prints = try PrintSets(service.host)
    var initial = CrashModel()
    let saved = "\(service.host.folder)/saved"
    if scenario.fromStart {
      try FileManager.default.createDirectory(atPath: saved, withIntermediateDirectories: true)
      chmod(saved, 0o700)
    } else {
      try scenario.prepare(service, &initial)
      try service.host.copy(service.state, saved)
    }
    let state = service.state
    let calls = try SystemCalls(folder: service.host.folder, SystemCalls.writes)
    let trigger = Trigger(calls) { $0.path.hasPrefix(state) }
    var steps = 0
    while true {
      var model = initial
      try? FileManager.default.removeItem(atPath: service.state)
      try service.host.copy(saved, service.state)
      service.calls = calls
      if scenario.fromStart { trigger.arm(steps + 1, .kill) }
      let started = (try? service.start()) != nil
      #expect(started || trigger.hit != nil, "\(service.log)")
      if !scenario.fromStart { trigger.arm(steps + 1, .kill) }
      // Only now: the daemon would have looked at its start.
      try prints.put(scenario.prints)
      model.changePrints(scenario.prints)
      if started {
        let operation = scenario.operation()
        model.open = operation
        if (try? operation.perform(model, service.keychain)) != nil {
          model.acknowledge(operation)
        }
      }
      guard let hit = trigger.hit else { break }
      steps += 1
      service.stop()
      trigger.disarm()
      service.calls = nil
      try service.start()
      do {
        try model.verifyRecord(service.keychain)
        try model.verify(service.keychain)
      } catch { Issue.record("\(error) after \(hit)") }
      service.stop(SIGTERM)
      try CrashTests.verifyWholeRecords("\(service.state)/audit")
      try prints.put(0)
    }
    #expect(steps > 1)
    print("\(scenario.testDescription): killed at \(steps) steps")
  }

  @Test(arguments: Scenario.all)
  func `what is acknowledged was put on the device before`(scenario: Scenario) throws {
    let service = try Service()
    let prints = try PrintSets(service.host)
    var model = CrashModel()
    try scenario.prepare(service, &model)
    let calls = try SystemCalls(
      folder: service.host.folder, SystemCalls.writes + ["sendto"])
    service.calls = calls
    try service.start()
    try prints.put(scenario.prints)
    model.changePrints(scenario.prints)
    let unsynced = Mutex<(dirty: Set<String>, atAnswer: [String])>(([], []))
    let users = "\(service.state)/"
    calls.decide { call in
      unsynced.withLock { found in
        switch call.name {
        case "fsync", "fdatasync": found.dirty.remove(call.path)
        case "sendto": found.atAnswer = found.dirty.sorted()
        // The record may be a second behind; the index beside the log is made anew after a crash.
        case _ where !call.path.hasPrefix(users), _ where call.path.contains("/audit/"),
          _ where call.path.hasSuffix("-shm"):
          break
        case "write", "pwrite64", "ftruncate", "fallocate": found.dirty.insert(call.path)
        default: found.dirty.insert((call.path as NSString).deletingLastPathComponent)
        }
        return .go
      }
    }
    let operation = scenario.operation()
    try operation.perform(model, service.keychain)
    #expect(unsynced.withLock { $0.atAnswer } == [])
    #expect(unsynced.withLock { $0.dirty } == [])
  }
}
