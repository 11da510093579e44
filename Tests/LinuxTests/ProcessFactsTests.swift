import Foundation
import Linux
import TemporaryFolder
import Testing

struct ProcessFactsTests {
  @Test func `of a process that is gone nothing is known`() throws {
    let child = Process()
    child.executableURL = URL(filePath: "/bin/true")
    try child.run()
    child.waitUntilExit()
    let number = child.processIdentifier
    #expect(ProcessFacts.terminal(number, of: getuid()) == nil)
  }

  /// The second ends in a letter that, in text, takes what follows to itself.
  @Test(arguments: [") R 1 1 1 9", ") R 1 1 1 9 \u{600}"])
  func `a program's name cannot pass for fields of its status`(_ name: String) throws {
    let folder = try TemporaryFolder()
    let program = folder(name)
    try FileManager.default.copyItem(atPath: "/bin/sleep", toPath: program)
    let child = Process()
    child.executableURL = URL(filePath: program)
    child.arguments = ["60"]
    try child.run()
    defer {
      kill(child.processIdentifier, SIGKILL)
      child.waitUntilExit()
    }
    // Foundation reports the start only after the exec.
    let user = getuid()
    #expect(
      ProcessFacts.terminal(child.processIdentifier, of: user)
        == ProcessFacts.terminal(getpid(), of: user))
  }
}
