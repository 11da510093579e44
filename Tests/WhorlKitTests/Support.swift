import AccessControl
import Foundation
import Linux
import ScriptedServer
import SecretMemory
import Synchronization
import WhorlKit
import Wire

/// Hands out the client's end of a scripted server's connection.
struct PairTransport: Transport {
  let server: ScriptedServer

  func connect() throws(KeychainError) -> any Connection {
    guard let socket = try? server.pair() else { throw KeychainError(.exhausted) }
    return SocketConnection(socket)
  }
}

/// Answers prompts from a list instead of a person, and writes down what it was told.
final class ScriptedPrompter: Prompter {
  enum Act: Sendable {
    case type(Factor, String)
    /// What was typed for the prompt before; the next act follows at once.
    case typeLate(Factor, String)
    case cancel
    case nothing
    case cannotShow
  }

  private let acts: Mutex<[Act]>
  // A test that gets no descriptor cannot go on.
  private let event = try! CancelEvent()
  private let told = Mutex<[String]>([])
  private let shown = Mutex<UInt32>(0)

  init(_ acts: Act...) {
    self.acts = Mutex(acts)
  }

  var log: [String] { told.withLock { $0 } }
  var isAvailable: Bool { true }
  var descriptors: [Int32] { [event.descriptor] }

  private func note(_ text: String) { told.withLock { $0.append(text) } }

  func queued(program: [UInt8], item: [UInt8]) {
    note("queued \(displayText(program)) \(displayText(item))")
  }

  func show(_ prompt: Prompt) -> Bool {
    note("show \(prompt.id) \(prompt.factors)")
    shown.withLock { $0 = prompt.id }
    if acts.withLock({ if case .cannotShow = $0.first { true } else { false } }) { return false }
    event.fire()
    return true
  }

  func armed() { note("armed") }

  func notice(_ notice: Notice) {
    note("notice \(notice.kind) \(notice.seconds)")
    event.fire()
  }

  func input(at descriptor: Int32) -> PromptInput {
    event.reset()
    let act = acts.withLock { $0.isEmpty ? .nothing : $0.removeFirst() }
    switch act {
    case .nothing, .cannotShow: return .nothing
    case .cancel: return .cancel
    case .type(let factor, let text): return .answer(shown.withLock { $0 }, factor, secret(text))
    case .typeLate(let factor, let text):
      event.fire()
      return .answer(shown.withLock { $0 } - 1, factor, secret(text))
    }
  }

  func end() { note("end") }
}

func secret(_ text: String) -> SecretBytes {
  // A test that cannot lock a few bytes cannot go on.
  try! SecretBytes(copying: Array(text.utf8).span)
}

func text(_ secret: SecretBytes) -> String {
  secret.withBytes { bytes in
    String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
  }
}

let token = ItemIdentity(
  group: Array("whorl".utf8), service: Array("github".utf8), account: Array("token".utf8))

func prompt(_ id: UInt32, _ factors: [Factor] = [.biometry, .devicePasscode]) -> ServerMessage {
  .step(
    .show(
      Prompt(
        id: id, factors: factors, items: [Array("github/token".utf8)],
        program: Array("/bin/x".utf8), reason: [], reuse: 0)))
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
