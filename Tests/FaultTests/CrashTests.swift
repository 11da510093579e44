import Foundation
import Glibc
import TestHost
import Testing
import WhorlKit
import Wire

/// The daemon killed while it writes, at moments nobody chose.
@Suite(.serialized) struct CrashTests {
  @Test(arguments: [(SIGKILL, 2000, 128 + SIGKILL), (SIGTERM, 400, 0)])
  func `a daemon ended at any moment loses no acknowledged write and revives no generation`(
    signal: Int32, operations: Int, status: Int32
  ) throws {
    var dice = Dice.fresh("crashes")
    let service = try Service()
    let prints = try PrintSets(service.host)
    var model = CrashModel()
    var (done, kills, counter) = (0, 0, 0)
    var reaper = dice
    while done < operations {
      try service.start()
      if kills > 0 {
        try model.verifyRecord(service.keychain)
        try model.verify(service.keychain)
        model.restarted()
      }
      let pid = service.pid
      // So many operations later, and then at any moment of the next ones, however fast they are.
      let last = done + Int.random(in: 0..<40, using: &reaper)
      let part = Double.random(in: 0..<3, using: &reaper)
      let (start, first) = (ContinuousClock.now, done)
      var reaping: Thread?
      while done < operations {
        counter += 1
        if done >= last, reaping == nil {
          let each = (ContinuousClock.now - start) / .microseconds(max(1, done - first))
          reaping = Thread {
            usleep(UInt32(min(each, 50_000) * part))
            kill(pid, signal)
          }
          reaping?.start()
        }
        let operation = Self.choose(&dice, model, counter)
        if case .change(let index) = operation {
          // Nobody is asked: it happens to the daemon.
          try prints.put(index)
          model.acknowledge(operation)
          continue
        }
        model.open = operation
        do throws(KeychainError) {
          try operation.perform(model, service.keychain)
          model.acknowledge(operation)
          done += 1
        } catch {
          #expect(error.problem != nil, "\(error) for \(operation)")
          break
        }
      }
      // Its number is the daemon's until it was waited for.
      while reaping?.isFinished == false { usleep(500) }
      if reaping == nil { service.signal(signal) }
      #expect(service.status(within: 10) == status)
      kills += 1
    }
    try service.start()
    try model.verifyRecord(service.keychain)
    try model.verify(service.keychain)
    #expect(service.stop(SIGTERM) == 0)
    try Self.verifyWholeRecords("\(service.state)/audit")
    print("crashes: \(done) writes, \(kills) kills")
    #expect(kills > 5)
  }

  private static func choose(
    _ dice: inout Dice, _ model: CrashModel, _ counter: Int
  ) -> CrashModel.Operation {
    let name = "u\(Int.random(in: 0..<24, using: &dice))"
    let size = [8, 300, 3000, 9000][Int.random(in: 0..<4, using: &dice)]
    let write = CrashModel.Write(secret: dice.bytes(8), label: "\(counter)")
    var long = write
    long.secret += [UInt8](repeating: UInt8(counter % 251), count: size)
    switch Int.random(in: 0..<20, using: &dice) {
    case 0..<11:
      return .put(name, long, model.items[name] == nil || counter % 2 == 0 ? .add : .update)
    case 11..<14:
      return model.items[name] == nil ? .put(name, long, .add) : .delete(name)
    case 14..<17:
      var bound = write
      bound.prints = model.prints
      return .put("b\(Int.random(in: 0..<4, using: &dice))", bound, .add)
    case 17..<19: return .change(prints: Int.random(in: 0..<PrintSets.count, using: &dice))
    default: return .look
    }
  }

  /// Every byte of every file of the record belongs to a whole one.
  static func verifyWholeRecords(_ folder: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let bytes = Array(FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data())
      var decoder = Decoder(bytes)
      while decoder.remaining > 0 {
        var record = Decoder(try decoder.string())
        _ = try AuditRecord(from: &record)
        try record.finish()
      }
    }
  }
}
