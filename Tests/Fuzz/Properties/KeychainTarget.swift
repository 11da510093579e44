import AccessControl
import Crypto
import SecretMemory
import WhorlKit
import Wire

@testable import WhorlTesting

extension FuzzTarget {
  /// What the person does, then the stream of a client: the whole engine, on memory.
  static let keychain = FuzzTarget(name: "keychain") { bytes in
    var choices = Choices(bytes)
    let authenticator = FakeAuthenticator()
    let enrollment = ScriptedEnrollment(fingers: [.rightIndex])
    var approvals = 0
    for byte in choices.field(limit: 16) {
      let act = act(byte, enrollment)
      if case .approve = act { approvals += 1 }
      authenticator.then(act)
    }
    let test = try TestKeychain(authenticator: authenticator, enrollment: enrollment)
    try addItems(to: test.keychain)

    let connection = try test.keychain.transport.connect()
    var requests = 0
    var answers = 0
    var releases = 0
    for frame in FrameCut(choices.rest()).frames where connection.isOpen {
      // Argon2id takes a tenth of a second, which is no time for a fuzzer.
      if wantsApplicationPassword(frame) { continue }
      if case .request? = try? ClientMessage(frame.bytes), !frame.isSecret { requests += 1 }
      try? connection.send([
        frame.isSecret ? .secret(try SecretBytes.of(frame.bytes)) : .message(frame.bytes)
      ])
      var secrets = 0
      while case .frame(let frame)? = try? connection.receive(watching: [], until: 0) {
        switch frame {
        case .secret(let secret):
          secrets += 1
          if secret.copied == gatedSecret { releases += 1 }
        case .message(let bytes):
          let message = try ServerMessage(bytes)
          switch message {
          case .done(.secrets(let count)):
            try require(secrets == count, "an answer has the secrets it says")
          case .done, .failed, .hello, .step, .store:
            try require(secrets == 0, "no secret comes with anything but a read")
          }
          if case .hello = message { continue }
          if case .step = message { continue }
          if case .store = message { continue }
          answers += 1
          secrets = 0
        }
      }
      try require(secrets == 0, "no secret comes without its answer")
    }
    // A refusal of the protocol is one more.
    try require(answers <= requests + 1, "a request has one answer")
    // One act may serve later requests of its context, and may take the gate away.
    try require(
      releases == 0 || approvals > 0, "a gated item opens only for a person who was there")
  }

  private static let gatedSecret = Random.bytes(16)

  private static func act(
    _ byte: UInt8, _ enrollment: ScriptedEnrollment
  ) -> FakeAuthenticator.Act {
    switch byte % 10 {
    case 0: .approve(.biometry)
    case 1: .approve(.devicePasscode)
    case 2: .deny(.biometry)
    case 3: .deny(.devicePasscode)
    case 4: .cancel
    case 5: .lockout
    case 6: .timeout
    case 7: .unavailable(.noReader)
    case 8: .delay(seconds: UInt64(byte))
    default: .meanwhile { enrollment.enroll(.leftThumb) }
    }
  }

  /// `open` needs nothing, the others a person.
  private static func addItems(to keychain: Keychain) throws {
    for (name, text) in [
      ("open", "none"), ("gated", "userPresence"), ("bound", "biometryCurrentSet"),
      ("either", "biometryCurrentSet | devicePasscode"),
    ] {
      let identity = ItemIdentity(
        group: Array("whorl".utf8), service: [], account: Array(name.utf8))
      try keychain.add(
        NewItem(
          identity: identity, attributes: Attributes(), accessControl: AccessControl(text: text)),
        secret: try SecretBytes.of(text == "none" ? [1] : gatedSecret))
    }
  }

  private static func wantsApplicationPassword(_ frame: FrameCut.Piece) -> Bool {
    guard !frame.isSecret, case .request(let request)? = try? ClientMessage(frame.bytes) else {
      return false
    }
    return switch request.operation {
    case .add(let item, _): item.accessControl.needsApplicationPassword
    case .update(_, let changes): changes.accessControl?.needsApplicationPassword ?? false
    case .evaluate(let control), .canEvaluate(let control): control.needsApplicationPassword
    default: false
    }
  }
}
