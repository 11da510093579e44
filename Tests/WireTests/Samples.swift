import AccessControl
import Wire

/// One message of every kind, with a name for the vectors on disk.
enum Samples {
  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  static let identity = ItemIdentity(
    group: bytes("whorl"), service: bytes("github"), account: bytes("token"))
  static let key = ItemIdentity(
    itemClass: .key, group: bytes("com.example.app"),
    primary: (0..<10).map { [UInt8($0), 0, 0xff] })
  static let internet = ItemIdentity(
    itemClass: .internetPassword, group: [],
    primary: ["ann", "", "example.org", "htps", "", "443", "/", ""].map(bytes))

  static func control(
    _ text: String, _ accessibility: Accessibility = .whenUnlocked, _ reuse: UInt32 = 0
  ) -> AccessControl {
    // The samples are written to be valid; another one ends the run at once.
    try! AccessControl(text: text, accessibility: accessibility, reuseLimit: reuse)
  }

  static var attributes: Attributes {
    var attributes = Attributes()
    attributes["labl"] = bytes("a label")
    attributes["icmt"] = [0, 0xff, 0x0a]
    return attributes
  }

  static let operations: [(String, Operation)] =
    [
      (
        "add",
        .add(
          NewItem(
            identity: identity, attributes: attributes,
            accessControl: control("biometryCurrentSet | devicePasscode", .afterFirstUnlock, 300)),
          replacing: false)
      ),
      (
        "add-replacing",
        .add(
          NewItem(
            identity: key, attributes: Attributes(),
            accessControl: control("userPresence + applicationPassword + privateKeyUsage")),
          replacing: true)
      ),
      (
        "add-outside",
        .add(
          NewItem(
            identity: identity, attributes: Attributes(), accessControl: control("none"),
            store: .secretService), replacing: true)
      ),
      ("read", .read([identity])), ("read-several", .read([identity, internet, key])),
      ("update-nothing", .update(identity, Changes())),
      (
        "update",
        .update(
          identity,
          Changes(
            identity: internet, attributes: attributes, accessControl: control("none"),
            replacesSecret: true))
      ),
      (
        "update-store",
        .update(identity, Changes(replacesSecret: true, store: .secretService))
      ),
      ("update-store-own", .update(identity, Changes(store: .own))),
      ("form", .form(identity, offset: 24576)),
      ("placed", .placed(identity, digest: form.digest)),
      ("discarded", .discarded(ids: [form.id])),
      ("delete", .delete(internet)), ("rearm", .rearm(identity)), ("show", .show(key)),
      ("list", .list(Query())),
      (
        "list-some",
        .list(
          Query(
            itemClass: .genericPassword, groups: [bytes("whorl"), []], matching: attributes,
            after: .max))
      ),
      ("status", .status), ("log", .log(limit: 256)), ("lock", .lock),
      ("evaluate", .evaluate(control("biometryAny & devicePasscode"))),
      ("can-evaluate", .canEvaluate(control("biometryAny", .whenPasscodeSetThisDeviceOnly))),
      ("domain-state", .domainState),
      (
        "make-key",
        .makeKey(
          NewItem(
            identity: key, attributes: attributes,
            accessControl: control("userPresence + privateKeyUsage")), .p256)
      ),
      ("sign", .sign(key, Array(0..<32))), ("agree", .agree(key, peer: [4, 1, 2])),
      ("login-keyring", .loginKeyring(.enable)),
      ("administer-list", .administer(.list(user: bytes("alice"), after: 7))),
      ("administer-purge", .administer(.purge(user: bytes("alice")))),
      ("administer-log", .administer(.log(user: bytes("alice"), skipping: 256))),
      ("administer-rules", .administer(.rules(RuleChanges()))),
      (
        "administer-rules-all",
        .administer(
          .rules(
            RuleChanges(
              passcodeAfterBoot: true, passcodeAfterHours: 24, passcodeAfterFailures: 3)))
      ),
    ]
    + Login.Step.allCases.map {
      (
        "login-\($0)",
        .login(
          Login(
            $0, user: bytes("ann"), service: bytes("gdm-fingerprint"), terminal: bytes("tty2"),
            wantsSecret: $0 == .verify))
      )
    }

  static let client: [(String, ClientMessage)] =
    [
      ("hello", .hello(ClientHello())),
      (
        "hello-groups",
        .hello(ClientHello(groups: [bytes("whorl"), bytes("x")], via: bytes("git")))
      ),
      (
        "request-context",
        .request(
          Request(
            .status, context: 7, allowsInteraction: false, reuse: 300, reason: bytes("sign in")))
      ),
      ("request-agent", .request(Request(.status, usesAgent: true))),
      (
        "request-agent-or-prompt",
        .request(Request(.status, usesAgent: true, promptsWithoutAgent: true))
      ),
      ("shown", .shown(prompt: 1)),
      ("answer-passcode", .answer(prompt: 0xdead_beef, .devicePasscode)),
      ("answer-application", .answer(prompt: 2, .applicationPassword)),
      ("cancel", .cancel), ("invalidate", .invalidate(context: 7)),
      ("form", .form(FormPart(index: 1, bytes: [1, 2, 3]))),
      ("give-up", .giveUp(.locked)),
    ] + operations.map { ("request-" + $0.0, .request(Request($0.1))) }

  static let row = ItemRow(
    row: 42, identity: identity, attributes: attributes,
    accessControl: control("biometryCurrentSet"), created: 1_700_000_000,
    modified: 1_700_000_001, isInvalidated: true)

  /// Its password branch still opens.
  static let halfDeadRow = ItemRow(
    row: 43, identity: identity, attributes: attributes,
    accessControl: control("biometryCurrentSet | devicePasscode"), created: 1, modified: 2,
    isInvalidated: false, hasDeadBranch: true)

  static let form = SealedForm(
    id: Array(0..<16), digest: Array(100..<132), count: 1_048_576)

  static let outsideRow = ItemRow(
    row: 44, identity: identity, attributes: Attributes(), accessControl: control("none"),
    created: 1, modified: 2, isInvalidated: false, store: .secretService)

  static let unplacedRow = ItemRow(
    row: 45, identity: identity, attributes: Attributes(),
    accessControl: control("biometryCurrentSet | devicePasscode"), created: 1, modified: 2,
    isInvalidated: false, hasDeadBranch: true, store: .secretService, isPlaced: false)

  static let server: [(String, ServerMessage)] =
    [
      ("hello", .hello(version: 1)),
      ("queued", .step(.queued(program: bytes("/usr/bin/git"), item: bytes("github/token")))),
      (
        "show",
        .step(
          .show(
            Prompt(
              id: 3, factors: [.biometry, .devicePasscode],
              items: [bytes("a"), bytes("b")], program: bytes("/usr/bin/whorl"),
              reason: bytes("deploy"), reuse: 60)))
      ),
      ("armed", .step(.armed(prompt: 3))), ("done", .done(.done)),
      ("done-secrets", .done(.secrets(count: 2))),
      ("done-items", .done(.items([row, halfDeadRow]))),
      ("done-no-items", .done(.items([]))),
      ("done-items-outside", .done(.items([outsideRow, unplacedRow]))),
      ("fetch", .store(.fetch([form]))), ("place", .store(.place([identity, key]))),
      ("discard", .store(.discard(ids: [form.id]))),
      (
        "done-form",
        .done(.form(FormPage(form: form, attributes: attributes, bytes: [1, 2, 3])))
      ),
      (
        "done-item-ended",
        .done(
          .item(
            ItemDetail(
              row: row,
              binding: .ended(
                EnrollmentChange(.enrolled, path: bytes("synaptics/0/1"), time: 1_700_000_002)),
              secretCount: 1_048_576)))
      ),
      ("done-item-live", .done(.item(ItemDetail(row: row, binding: .live, secretCount: 0)))),
      ("done-item-unbound", .done(.item(ItemDetail(row: row, binding: .unbound, secretCount: 1)))),
      (
        "done-status",
        .done(
          .status(
            HostStatus(
              biometryObstacle: .notEnrolled, hasPasscode: true, isUnlocked: false,
              prints: [
                HostStatus.Print(
                  path: bytes("synaptics/0/7"), finger: bytes("right-index-finger"),
                  driver: bytes("synaptics"), isStoredOnDevice: true, written: 1)
              ], pamDirectory: bytes("/etc/pam.d"))))
      ),
      (
        "done-records",
        .done(
          .records([
            AuditRecord(
              time: 1, user: 1000, process: -1, program: bytes("/bin/x"), action: .read,
              item: bytes("a"), factors: [.biometry, .applicationPassword], failure: nil),
            AuditRecord(
              time: 2, user: 0, process: 2, program: [], action: .generationEnded, item: [],
              factors: [], failure: .invalidated),
          ]))
      ),
      ("done-domain-state", .done(.domainState(Array(0..<32)))),
      ("done-bytes", .done(.bytes([4, 5, 6]))),
      ("done-login-keyring", .done(.loginKeyring(.ready))),
      (
        "done-rules",
        .done(
          .rules(
            Rules(passcodeAfterBoot: true, passcodeAfterHours: 24, passcodeAfterFailures: 3)))
      ),
      ("failed-detail", .failed(Failure(.notFound, detail: bytes("github/token")))),
    ]
    + Notice.Kind.allCases.map {
      ("notice-\($0)", .step(.notice(prompt: 3, Notice($0, seconds: UInt32($0.rawValue)))))
    }
    + FailureCode.allCases.map { ("failed-\($0)", .failed(Failure($0))) }

  static var encoded: [(name: String, bytes: [UInt8], parse: ([UInt8]) throws -> [UInt8])] {
    client.map { ("client " + $0.0, $0.1.encoded, { try ClientMessage($0).encoded }) }
      + server.map { ("server " + $0.0, $0.1.encoded, { try ServerMessage($0).encoded }) }
  }
}
