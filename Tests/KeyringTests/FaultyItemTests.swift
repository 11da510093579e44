import Foundation
import TestHost
import Testing

/// Single items of a keyring that cannot be had: named, and the rest is imported all the same.
@Suite(.serialized) struct FaultyItemTests {
  private let it: KeyringHost
  private let keyring: SmallKeyring
  private static let path = "/org/freedesktop/secrets/collection/only/"

  init() throws {
    it = try KeyringHost(isEmpty: true)
    keyring = try SmallKeyring(
      it, answering: "dismiss", faults: ["gone:2", "secret:3", "delete:4"])
    try it.client("fill", "6", "default")
  }

  @Test func `what is not there or gives no secret is named, and the rest comes`() throws {
    let result = try it.importing(["--access", "none"])
    #expect(result.output == "4 imported, 2 not taken over\n", "\(result)")
    #expect(result.status == 1)
    #expect(result.error.contains("the keyring lists \"\(Self.path)2\", and has no such item"))
    #expect(result.error.contains("cannot be read: the keyring: \"the drawer is jammed\""))
    #expect(try Set(it.rows().keys) == Set([1, 4, 5, 6].map { "\(Self.path)\($0)" }))
    let dry = try it.importing(["--dry-run"])
    #expect(dry.status == 1)
    #expect(
      dry.output.hasSuffix("1 to be imported, 4 there already, 1 not taken over\n"), "\(dry)")
  }

  @Test(arguments: [false, true])
  func `a move deletes what was taken, and says what it could not delete`(_ twice: Bool) throws {
    if twice { #expect(try it.importing(["--access", "none"]).status == 1) }
    let result = try it.importing(["--access", "none", "--move"])
    let began = twice ? "0 imported, 4 there already" : "4 imported"
    #expect(
      result.output == "\(began), 3 originals deleted, 1 original not deleted, 2 not taken over\n",
      "\(result)")
    #expect(result.status == 1)
    #expect(result.error.contains("was taken over and not deleted: the keyring: "), "\(result)")
    #expect(try Set(it.client("paths").paths) == Set([2, 3, 4].map { "\(Self.path)\($0)" }))
    #expect(try it.rows().count == 4)
  }
}
