import AccessControl
import Testing
import WhorlTesting
import Wire

@testable import Vault

/// Items outside that are written while somebody reads them.
@Suite struct OutsideRaceTests {
  private let world: World

  init() throws { world = try World() }

  @Test func `a read goes on with an item that is written while its form is fetched`() throws {
    _ = try world.add("a", store: .secretService)
    let first = try world.place("a")
    guard case .fetch(let forms, let pending) = world.begin(.read([item("a")])) else {
      throw Failure(.internalError)
    }
    #expect(forms == [first])
    let old = try #require(world.outside[first])
    #expect(world.ask(.update(item("a"), Changes(replacesSecret: true)), secrets: ["two"]) == .done)
    let second = try world.place("a")
    guard case .fetch([second], _) = world.vault.resume(pending, .forms([old])) else {
      throw Failure(.internalError)
    }
    // Gated meanwhile: what is there now is judged.
    let strong = Changes(accessControl: try AccessControl(text: "devicePasscode"))
    #expect(world.ask(.update(item("a"), strong)) == .done)
    let third = try world.place("a")
    guard case .fetch([third], _) = world.vault.resume(pending, .forms([[]])),
      case .gather = world.vault.resume(pending, .forms([try #require(world.outside[third])])),
      case .done(let outcome) = world.vault.resume(pending, .verified(.devicePasscode))
    else { throw Failure(.internalError) }
    #expect(outcome.secrets.map(text) == ["two"])
  }

  @Test func `an item that is written while its form is fetched is not written over`() throws {
    _ = try world.add("a", store: .secretService)
    let form = try world.place("a")
    guard
      case .fetch(_, let pending) = world.begin(.update(item("a"), Changes(store: .own)))
    else { throw Failure(.internalError) }
    let old = try #require(world.outside[form])
    #expect(world.ask(.update(item("a"), Changes(replacesSecret: true)), secrets: ["two"]) == .done)
    guard case .failed(let failure) = world.vault.resume(pending, .forms([old])) else {
      throw Failure(.internalError)
    }
    #expect(failure.code == .changedMeanwhile && world.read("a") == .secrets(["two"]))
  }

  @Test func `placing makes no other item of one that a person is asked for`() throws {
    _ = try world.add("a", "userPresence", store: .secretService)
    let given = Given.change { [world] in _ = try? world.place("a") }
    #expect(world.read("a", given: given, .finger) == .secrets(["secret of a"]))
  }
}
