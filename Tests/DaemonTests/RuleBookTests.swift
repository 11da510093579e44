import Foundation
import TemporaryFolder
import Testing
import Wire

@testable import Daemon

struct RuleBookTests {
  private let folder: TemporaryFolder
  private var file: String { folder.path + "/rules" }

  init() throws { folder = try TemporaryFolder() }

  private func book(_ configuration: Configuration) throws -> (RuleBook, Rules) {
    let book = RuleBook(folder: folder.path)
    try book.read()
    return (book, Rules(book.applied(to: configuration)))
  }

  @Test func `a change makes the configuration's rules stricter, and never looser`() throws {
    var configuration = Configuration()
    configuration.passcodeAfterHours = 12
    let (book, _) = try book(configuration)
    #expect(book.isLooser(RuleChanges(passcodeAfterHours: 13)))
    #expect(book.isLooser(RuleChanges(passcodeAfterHours: 0)))
    #expect(!book.isLooser(RuleChanges(passcodeAfterBoot: true, passcodeAfterHours: 11)))
    let changes = RuleChanges(passcodeAfterBoot: true, passcodeAfterHours: 11)
    #expect(book.change(changes))
    var (_, rules) = try self.book(configuration)
    #expect(rules.passcodeAfterBoot && rules.passcodeAfterHours == 11)
    // One that root made stricter since holds.
    configuration.passcodeAfterHours = 2
    (_, rules) = try self.book(configuration)
    #expect(rules.passcodeAfterHours == 2)
  }

  @Test func `what is set to the configuration's is changed no more`() throws {
    let (book, _) = try book(Configuration())
    #expect(book.change(RuleChanges(passcodeAfterHours: 11)))
    #expect(FileManager.default.fileExists(atPath: file))
    #expect(book.change(RuleChanges(passcodeAfterHours: 0)))
    #expect(!FileManager.default.fileExists(atPath: file))
    #expect(try self.book(Configuration()).1 == Rules(Configuration()))
  }

  @Test(arguments: ["", "passcode-after-hours = 1", "quota = 1\n", "passcode-after-hours = x\n"])
  func `a file that is cut short or not ours is refused`(_ text: String) throws {
    try text.write(toFile: file, atomically: false, encoding: .utf8)
    #expect(throws: Daemon.StartError.self) { try self.book(Configuration()) }
  }

  @Test func `what cannot be written changes nothing`() throws {
    let (book, _) = try book(Configuration())
    try FileManager.default.removeItem(atPath: folder.path)
    var told: [Rules] = []
    book.onChange = { told.append($0) }
    #expect(!book.change(RuleChanges(passcodeAfterHours: 11)))
    #expect(told.isEmpty)
    #expect(Rules(book.applied(to: Configuration())) == Rules(Configuration()))
  }
}
