import Testing
import WhorlKit
import Wire

@testable import WhorlClient

/// What goes to the program that speaks with keyrings, and what the user has settled.
@Suite struct KeyringCallTests {
  private static let form = SealedForm(id: Array(0..<16), digest: Array(0..<32), count: 3)

  private static var calls: [KeyringCall] {
    var attributes = Attributes()
    attributes["labl"] = [1]
    let item = PlacedItem(
      identity: ItemIdentity(group: [1], service: [2], account: [3]), attributes: attributes,
      form: form, bytes: [1, 2, 3])
    return [
      KeyringCall(.prepare, mayAsk: true), KeyringCall(.fetch([form, form]), mayAsk: false),
      KeyringCall(.place(item), collection: [9], mayAsk: true),
      KeyringCall(.discard(ids: [form.id]), mayAsk: false),
    ]
  }

  private static let answers: [KeyringAnswer] =
    [.done, .forms([[], [1]]), .dropped([form.id])]
    + [
      .noBus, .noService, .locked, .gone, .missing, .noCollection, .timedOut, .cancelled,
      .exhausted, .noHelper, .privileged, .badSettings, .failed([1, 2]),
    ].map(KeyringAnswer.problem)

  @Test func `a call and an answer are read as they were written, and not when cut`() throws {
    for call in Self.calls {
      #expect(try KeyringCall(call.encoded) == call)
      for count in call.encoded.indices {
        #expect(throws: DecodingError.self) { try KeyringCall(Array(call.encoded[..<count])) }
      }
    }
    for answer in Self.answers {
      #expect(try KeyringAnswer(answer.encoded) == answer)
      for count in answer.encoded.indices {
        #expect(throws: DecodingError.self) { try KeyringAnswer(Array(answer.encoded[..<count])) }
      }
    }
  }

  @Test func `every problem of a keyring is a failure of its own, and none is a missing item`() {
    let problems: [KeyringProblem] = Self.answers.compactMap {
      if case .problem(let problem) = $0 { problem } else { nil }
    }
    for problem in problems {
      let error = KeychainError(keyring: problem)
      #expect(error.keyring == problem && error.problem == nil)
      // Else a program would take the item for absent, and add it again.
      #expect(error.code != .notFound && error.status != -25300)
    }
    #expect(KeychainError(keyring: .locked).status == -25308)
  }

  @Test(
    arguments: [
      ("", .own, ""), ("# nothing\n\n", .own, ""), ("store=secret-service", .secretService, ""),
      ("store = default\r\n", .own, ""), (" collection =  My keys \n", .own, "My keys"),
      ("store = secret-service\ncollection=\n", .secretService, ""),
    ] as [(String, StoreKind, String)])
  func `settings are read`(text: String, store: StoreKind, collection: String) throws {
    let settings = try UserSettings(Array(text.utf8))
    #expect(settings.store == store && settings.collection == Array(collection.utf8))
  }

  @Test(arguments: [
    ("store", 1), ("\nstore = keyring", 2), ("other = 1", 1), ("store = secret-service x", 1),
    ("collection = a\0b", 1),
  ])
  func `settings that are not understood are an error of their line`(
    text: String, line: Int
  ) {
    #expect(throws: UserSettings.Wrong(line: line)) { try UserSettings(Array(text.utf8)) }
  }
}
