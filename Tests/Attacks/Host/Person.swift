import Foundation
import Linux
import SecretMemory
import Synchronization
import TestHost
import WhorlKit
import Wire

/// A person who types one password at every prompt, or cancels it.
final class Person: Prompter {
  private let password: Mutex<String?>
  private let shown = Mutex(0)
  private let prompt = Mutex<UInt32>(0)
  private let event: CancelEvent

  init(typing password: String?) throws {
    self.password = Mutex(password)
    event = try CancelEvent()
  }

  /// How many prompts there were.
  var prompts: Int { shown.withLock { $0 } }

  func type(_ password: String?) { self.password.withLock { $0 = password } }

  var isAvailable: Bool { true }
  var descriptors: [Int32] { [event.descriptor] }
  func queued(program: [UInt8], item: [UInt8]) {}

  func show(_ prompt: Prompt) -> Bool {
    shown.withLock { $0 += 1 }
    self.prompt.withLock { $0 = prompt.id }
    event.fire()
    return true
  }

  func armed() {}
  func notice(_ notice: Notice) {}
  func end() {}

  func input(at descriptor: Int32) -> PromptInput {
    event.reset()
    guard let password = password.withLock({ $0 }),
      let secret = try? SecretBytes(copying: Array(password.utf8).span)
    else { return .cancel }
    return .answer(prompt.withLock { $0 }, .devicePasscode, secret)
  }
}

extension PrivateHost {
  /// Runs a call that blocks on a thread of its own, and serves the host's loop meanwhile.
  func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) throws -> Value {
    let box = Box<Value>()
    Thread.detachNewThread {
      let value = Result { try body() }
      box.result.withLock { $0 = value }
    }
    try wait("a blocking call", seconds: 15) { box.result.withLock { $0 != nil } }
    return try box.result.withLock { $0! }.get()
  }
}

/// Carries a result from one thread to another.
private final class Box<Value: Sendable>: Sendable {
  let result = Mutex<Result<Value, any Error>?>(nil)
}
