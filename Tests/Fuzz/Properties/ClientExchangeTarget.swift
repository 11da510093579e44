import AccessControl
import SecretMemory
import Wire

@testable import WhorlClient

extension FuzzTarget {
  /// What the person may and will do, then the stream of a server.
  static let clientExchange = FuzzTarget(name: "client-exchange") { bytes in
    var choices = Choices(bytes)
    let flags = choices.byte()
    let prompter = FuzzedPrompter(isAvailable: flags & 1 == 1, acts: choices.field(limit: 32))
    let connection = FuzzedConnection(FrameCut(choices.rest()).frames, prompter)
    let call = Exchange.Call(
      request: Request(
        .read([ItemIdentity(group: [], service: [], account: [1])]),
        allowsInteraction: flags & 2 == 2),
      applicationPassword: flags & 4 == 4 ? try SecretBytes.of(Array("own".utf8)) : nil,
      prompter: prompter, store: FuzzedStore())
    let answer = try? Exchange(connection, hello: ClientHello()).run(call)
    if let answer {
      let count = if case .secrets(let count) = answer.reply { Int(count) } else { 0 }
      try require(
        answer.secrets.map(\.copied) == connection.released && count == answer.secrets.count,
        "an answer has the secrets it says, in order")
      try require(!prompter.isCancelled, "what was cancelled releases nothing")
    }
    try require(prompter.problem == nil, prompter.problem ?? "")
    try require(prompter.ends == (prompter.isUsed ? 1 : 0), "a prompt that was on ends once")
    try connection.checkSent()
  }
}

/// A server that sends what it is told and hears everything.
private final class FuzzedConnection: Connection, @unchecked Sendable {
  // Unchecked: one thread runs a check.
  private var frames: ArraySlice<FrameCut.Piece>
  private let prompter: FuzzedPrompter
  private var sent: [Frame] = []
  private var prompts: [Prompt] = []
  /// How many forms each fetch asked for.
  private var fetches: [Int] = []
  /// The secrets sent so far.
  private(set) var released: [[UInt8]] = []

  init(_ frames: [FrameCut.Piece], _ prompter: FuzzedPrompter) {
    self.frames = frames[...]
    self.prompter = prompter
  }

  var isOpen: Bool { true }
  func close() {}
  func send(_ frames: [Frame]) throws(KeychainError) { sent += frames }

  func receive(
    watching descriptors: [Int32], until deadline: Int64
  ) throws(KeychainError) -> Arrival {
    if let descriptor = descriptors.last, prompter.isTyping() { return .readable(descriptor) }
    guard let frame = frames.popFirst() else { throw KeychainError(.closed) }
    guard frame.isSecret else {
      switch try? ServerMessage(frame.bytes) {
      case .step(.show(let prompt)): prompts.append(prompt)
      case .store(.fetch(let forms)): fetches.append(forms.count)
      default: break
      }
      return .frame(.message(frame.bytes))
    }
    released.append(frame.bytes)
    guard let secret = try? SecretBytes.of(frame.bytes) else { throw KeychainError(.exhausted) }
    return .frame(.secret(secret))
  }

  /// The daemon must understand every word, and no factor may go where it was not asked for.
  func checkSent() throws {
    var machine = SessionMachine()
    for frame in sent {
      let action: SessionMachine.Action
      switch frame {
      case .secret(let secret): action = machine.receive(secret: secret)
      case .message(let message): action = machine.receive(message: message)
      }
      switch action {
      case .refuse: throw Violation("a client sends nothing that is refused")
      case .shown(let id, _):
        try require(prompts.contains { $0.id == id }, "only a prompt that came is shown")
      case .answer(let id, let factor, _):
        try require(
          prompts.contains { $0.id == id && $0.factors.contains(factor) },
          "a factor answers a prompt that wants it")
      case .form(let part):
        try require(
          fetches.contains { part.index < $0 }, "only a form that was asked for is brought")
      case .accept, .begin, .cancel, .giveUp, .invalidate, .none: break
      }
    }
  }
}

/// A keyring that has whatever small form it is asked for.
private struct FuzzedStore: OutsideStore {
  func prepare(_ wait: StoreWait) {}
  func place(_ item: PlacedItem, _ wait: StoreWait) {}
  func discard(ids: [[UInt8]], _ wait: StoreWait) -> [[UInt8]] { ids }

  func fetch(
    _ forms: [SealedForm], _ wait: StoreWait
  ) throws(KeyringProblem) -> [[UInt8]] {
    guard forms.allSatisfy({ $0.count <= 65536 }) else { throw .missing }
    return forms.map { [UInt8](repeating: 0, count: Int($0.count)) }
  }
}

/// A person of few decisions.
private final class FuzzedPrompter: Prompter, @unchecked Sendable {
  // Unchecked: one thread runs a check.
  let isAvailable: Bool
  private var acts: Choices
  private var isOn = false
  private var prompt: UInt32 = 0
  private(set) var isUsed = false
  private(set) var isCancelled = false
  private(set) var ends = 0
  private(set) var problem: String?

  init(isAvailable: Bool, acts: [UInt8]) {
    self.isAvailable = isAvailable
    self.acts = Choices(acts)
  }

  func isTyping() -> Bool { acts.bool() }

  private func begin() {
    if !isAvailable || ends > 0 { problem = "nobody is asked who cannot be, or any more" }
    isOn = true
    isUsed = true
  }

  func queued(program: [UInt8], item: [UInt8]) { begin() }

  func show(_ prompt: Prompt) -> Bool {
    begin()
    self.prompt = prompt.id
    let isShown = acts.byte() & 3 != 3
    if !isShown { isCancelled = true }
    return isShown
  }

  func armed() { requireOn() }
  func notice(_ notice: Notice) { requireOn() }

  private func requireOn() {
    if !isOn { problem = "a prompt that is not on says nothing" }
  }

  var descriptors: [Int32] { isOn ? [7] : [] }

  func input(at descriptor: Int32) -> PromptInput {
    requireOn()
    switch acts.number(below: 4) {
    case 0: return .nothing
    case 1:
      isCancelled = true
      return .cancel
    default:
      guard let secret = try? SecretBytes.of([1]) else { return .nothing }
      // Now and then for an earlier one.
      let id = acts.number(below: 16) == 0 ? prompt &- 1 : prompt
      return .answer(id, FuzzTarget.pick(&acts, Factor.allCases), secret)
    }
  }

  func end() {
    isOn = false
    ends += 1
  }
}
