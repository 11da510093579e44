import Foundation
import Glibc
import ProgramRun
import TemporaryFolder
import Testing

/// Commands that are programs of their own.
@Suite struct HelperTests {
  @Test(arguments: [
    ("whorl-keyring", ["import", "secret-service"]), ("whorl-keyring", ["export", "x"]),
    ("whorl-lint", ["lint"]),
  ])
  func `a program that somebody else could have put there is not run`(
    name: String, words: [String]
  ) throws {
    let folder = try TemporaryFolder()
    let (command, helper) = (folder("whorl"), folder(name))
    let copy = try ProgramRun("/usr/bin/install", ["-m", "755", Program.path, command])
    try #require(copy.status == 0, "\(copy.errors)")
    try folder.write(Array("#!/bin/sh\necho planted\n".utf8), to: name)
    for (folderMode, helperMode) in [
      (0o777, 0o755), (0o775, 0o755), (0o755, 0o757), (0o755, 0o775),
    ]
      as [(mode_t, mode_t)]
    {
      chmod(folder.path, folderMode)
      chmod(helper, helperMode)
      let run = try ProgramRun(command, words)
      #expect(!run.output.contains("planted"))
      #expect(isInstalled(name) || run.status == 127 && run.errors.contains("others can write"))
    }
    chmod(folder.path, 0o755)
    chmod(helper, 0o755)
    #expect(try isInstalled(name) || ProgramRun(command, words).output == "planted\n")
  }

  /// What is installed on this machine is taken before what lies beside the program.
  private func isInstalled(_ name: String) -> Bool {
    ["/usr/libexec/whorl/", "/usr/local/libexec/whorl/"].contains {
      access($0 + name, X_OK) == 0
    }
  }
}
