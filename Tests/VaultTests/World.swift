import AccessControl
import Crypto
import SecretMemory
import Vault
import WhorlTesting
import Wire

/// One engine on memory adapters, and the person before it.
final class World {
  let storage: MemoryStorage
  let keys: MemoryKeySource
  let enrollment: ScriptedEnrollment
  /// In place of the scripted ones, when they must be certain bytes.
  let prints: FixedPrints?
  let host = ScriptedHost()
  private(set) var vault: Vault { didSet { listen() } }
  /// The ends of generations that were told.
  private var ended: [(owner: Owner, change: EnrollmentChange)] = []
  var caller: PendingOperation.Caller
  /// What the client's own keyring has.
  var outside: [SealedForm: [UInt8]] = [:]

  static let alice = subject(user: 1000, "alice")
  static let owner = Owner(user: 1000, name: bytes("alice"))

  init(
    storage: MemoryStorage = MemoryStorage(), keys: MemoryKeySource? = nil,
    enrollment: ScriptedEnrollment? = nil, prints: FixedPrints? = nil
  ) throws {
    try Crypto.initialize()
    self.storage = storage
    self.keys = try keys ?? MemoryKeySource()
    self.enrollment = enrollment ?? ScriptedEnrollment(fingers: [.rightThumb], of: "alice")
    self.prints = prints
    self.enrollment.date = { [host] in host.date }
    vault = Vault(
      storage: storage, keys: self.keys, enrollment: prints ?? self.enrollment, host: host)
    caller = PendingOperation.Caller(connection: 1, subject: Self.alice)
    listen()
  }

  private func listen() {
    vault.onEnd = { [weak self] owner, change in self?.ended.append((owner, change)) }
  }

  /// The ends that were told since this was last asked.
  func takeEnded() -> [(owner: Owner, change: EnrollmentChange)] {
    defer { ended = [] }
    return ended
  }

  /// The prints may have changed.
  func look(at name: String? = nil) -> [(owner: Owner, change: EnrollmentChange)] {
    vault.enrollmentMayHaveChanged(of: name.map(bytes))
    return takeEnded()
  }

  /// A restart of the service: nothing is left but what was stored.
  func restart() {
    vault = Vault(
      storage: storage, keys: keys, enrollment: prints ?? enrollment, host: host)
  }

  static func subject(
    user: UInt32, _ name: String, process: Int32 = 1, session: String = "c1",
    terminal: UInt64 = 34817
  ) -> Subject {
    Subject(
      user: user, name: bytes(name), process: process, session: bytes(session),
      terminal: terminal)
  }

  // MARK: What a client asks

  func begin(
    _ operation: Operation, secrets: [String] = [], context: UInt32 = 0, reuse: UInt32 = 0,
    interaction: Bool = true
  ) -> Step {
    vault.begin(
      Request(operation, context: context, allowsInteraction: interaction, reuse: reuse),
      by: caller, secrets: secrets.map(secret))
  }

  /// Begins, and lets a person give these in turn for as long as something is asked.
  func ask(
    _ operation: Operation, secrets: [String] = [], context: UInt32 = 0, reuse: UInt32 = 0,
    interaction: Bool = true, _ given: Given...
  ) -> Answer {
    answer(
      begin(
        operation, secrets: secrets, context: context, reuse: reuse, interaction: interaction),
      password: secrets.first, given)
  }

  func add(
    _ name: String, _ policy: String = "none", accessibility: Accessibility = .whenUnlocked,
    reuse: UInt32 = 0, secret: String? = nil, password: String? = nil, replacing: Bool = false,
    attributes: [String: String] = [:], store: StoreKind = .own
  ) throws -> Answer {
    var pairs = Attributes()
    for (key, value) in attributes { pairs[key] = bytes(value) }
    let control = try AccessControl(
      text: policy, accessibility: accessibility, reuseLimit: reuse)
    let item = NewItem(
      identity: item(name), attributes: pairs, accessControl: control, store: store)
    let secret = secret ?? "secret of " + name
    return ask(.add(item, replacing: replacing), secrets: (password.map { [$0] } ?? []) + [secret])
  }

  func read(_ names: String..., given: Given...) -> Answer {
    answer(begin(.read(names.map(item))), given)
  }

  func answer(_ step: Step, password: String? = nil, _ given: [Given]) -> Answer {
    var step = step
    var given = given[...]
    var password = password
    while true {
      switch step {
      case .done(let outcome): return Answer(outcome)
      case .failed(let failure): return .failed(failure.code)
      case .derive(let salts, let pending):
        guard let typed = password else { return .derive(salts.count) }
        let derived = salts.compactMap {
          try? PasswordHash.derive(password: secret(typed), salt: $0)
        }
        step = vault.resume(pending, .derived(derived))
      case .fetch(let forms, let pending):
        step = vault.resume(pending, .forms(forms.map { outside[$0] ?? [] }))
      case .gather(let gathering, let pending):
        guard let next = given.popFirst() else { return .asks(gathering.alternatives) }
        switch next {
        case .finger: step = vault.resume(pending, .verified(.biometry))
        case .passcode: step = vault.resume(pending, .verified(.devicePasscode))
        case .obstacle(let obstacle): step = vault.resume(pending, .obstacle(obstacle))
        case .password(let text):
          password = text
          step = vault.resume(pending, .applicationPassword)
        case .change(let body):
          body()
        }
      }
    }
  }

  /// What `show` says of how an item stands to the prints.
  func binding(_ name: String) -> ItemDetail.Binding? {
    guard case .item(let detail) = ask(.show(item(name))) else { return nil }
    return detail.binding
  }

  func cause(_ name: String) -> EnrollmentChange? {
    guard case .ended(let change) = binding(name) else { return nil }
    return change
  }
}

/// What a person gives when asked, or what happens meanwhile.
enum Given {
  case finger, passcode
  case password(String)
  case obstacle(BiometryObstacle)
  case change(() -> Void)
}

/// How a request ended, comparable.
enum Answer: Equatable {
  case secrets([String])
  case done
  case failed(FailureCode)
  case asks([[Factor]])
  case derive(Int)
  case items([ItemRow])
  case item(ItemDetail)
  case domainState([UInt8])
  case bytes([UInt8])
  case other

  init(_ outcome: Outcome) {
    switch outcome.reply {
    case .done: self = .done
    case .secrets: self = .secrets(outcome.secrets.map(text))
    case .items(let rows): self = .items(rows)
    case .item(let detail): self = .item(detail)
    case .domainState(let digest): self = .domainState(digest)
    case .bytes(let bytes): self = .bytes(bytes)
    case .status, .records, .loginKeyring, .rules, .form: self = .other
    }
  }
}

func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

func secret(_ text: String) -> SecretBytes { secret(bytes(text)) }

func secret(_ bytes: [UInt8]) -> SecretBytes {
  // A test that cannot lock a few bytes cannot go on.
  try! SecretBytes(copying: bytes.span)
}

func plain(_ secret: SecretBytes) -> [UInt8] {
  secret.withBytes { span in (0..<span.count).map { span[$0] } }
}

func text(_ secret: SecretBytes) -> String {
  String(decoding: plain(secret), as: UTF8.self)
}

func item(_ name: String) -> ItemIdentity {
  ItemIdentity(group: bytes("whorl"), service: [], account: bytes(name))
}
