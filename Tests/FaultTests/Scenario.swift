import Foundation
import Glibc
import Synchronization
import TestHost
import Testing
import WhorlKit

/// One operation on a store of a known state, to be interrupted at each of its steps.
struct Scenario: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// Whether the start of the daemon is part of it.
  var fromStart = false
  /// Which prints are there when the operation comes.
  var prints = 0
  let operation: @Sendable () -> CrashModel.Operation

  private static func write(_ label: String, prints: Int? = nil) -> CrashModel.Write {
    CrashModel.Write(
      secret: Array("secret \(label)".utf8) + [UInt8](repeating: 7, count: 300), label: label,
      prints: prints)
  }

  static let all = [
    Scenario(testDescription: "an add") { .put("new", write("n"), .add) },
    Scenario(testDescription: "an add in place of another") { .put("old", write("n"), .add) },
    Scenario(testDescription: "an update") { .put("old", write("n"), .update) },
    Scenario(testDescription: "a delete") { .delete("old") },
    Scenario(testDescription: "the end of a generation", prints: 1) { .look },
    Scenario(testDescription: "a new generation", prints: 1) {
      .put("again", write("n", prints: 1), .add)
    },
  ]

  static let firstStart = Scenario(testDescription: "the first start and add", fromStart: true) {
    .put("new", write("n"), .add)
  }

  /// Fills a store with an open and a bound item, and stops the daemon.
  func prepare(_ service: Service, _ model: inout CrashModel) throws {
    try service.start()
    for operation in [
      CrashModel.Operation.put("old", Self.write("o"), .add),
      .put("bound", Self.write("b", prints: 0), .add),
    ] {
      try operation.perform(model, service.keychain)
      model.acknowledge(operation)
    }
    _ = service.stop(SIGTERM)
    model.restarted()
  }
}

/// Counts the watched calls of a scenario, and makes one of them a fault.
final class Trigger: Sendable {
  private struct State {
    var isArmed = false
    var count = 0
    var fault: (index: Int, verdict: SystemCalls.Verdict)?
    var hit: String?
  }

  private let state = Mutex(State())

  /// - Parameter matters: which files' calls are counted.
  init(_ calls: SystemCalls, _ matters: @escaping @Sendable (SystemCalls.Call) -> Bool) {
    calls.decide { [self] call in
      state.withLock { state in
        guard state.isArmed, matters(call) else { return .go }
        state.count += 1
        guard let fault = state.fault, fault.index == state.count else { return .go }
        state.hit = "\(call.name) \(call.path)"
        return fault.verdict
      }
    }
  }

  /// From now on, the call of this number, from 1, is the fault.
  func arm(_ index: Int, _ verdict: SystemCalls.Verdict) {
    state.withLock { $0 = State(isArmed: true, fault: (index, verdict)) }
  }

  func disarm() { state.withLock { $0.isArmed = false } }

  /// The call that was made a fault; nil when there were not so many.
  var hit: String? { state.withLock { $0.hit } }
}
