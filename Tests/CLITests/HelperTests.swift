import Foundation
import Glibc
import ProgramRun
import TemporaryFolder
import TestHost
import Testing

/// Commands that are programs of their own.
@Suite struct HelperTests {
  private let folder: TemporaryFolder
  private let command: String

  /// A copy of the program in a folder of its own.
  init() throws {
    folder = try TemporaryFolder()
    command = folder("bin/whorl")
    for name in ["bin", "libexec/whorl"] {
      try FileManager.default.createDirectory(
        atPath: folder(name), withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o755])
    }
    let copy = try ProgramRun("/usr/bin/install", ["-m", "755", Program.path, command])
    try #require(copy.status == 0, "\(copy.errors)")
  }

  /// Puts a program there that says a word.
  private func script(_ word: String, at name: String) throws {
    try folder.write(Array("#!/bin/sh\necho \(word)\n".utf8), to: name)
    chmod(folder(name), 0o755)
  }

  @Test(arguments: [
    ("whorl-keyring", ["import", "secret-service"]), ("whorl-keyring", ["export", "x"]),
    ("whorl-lint", ["lint"]),
  ])
  func `a program that somebody else could have put there is not run`(
    name: String, words: [String]
  ) throws {
    try script("planted", at: "bin/\(name)")
    for (folderMode, helperMode) in [
      (0o777, 0o755), (0o775, 0o755), (0o755, 0o757), (0o755, 0o775),
    ]
      as [(mode_t, mode_t)]
    {
      chmod(folder("bin"), folderMode)
      chmod(folder("bin/\(name)"), helperMode)
      let run = try ProgramRun(command, words)
      #expect(run.status == 127 && run.errors.contains("others can write"), "\(run)")
      #expect(run.output.isEmpty)
    }
    chmod(folder("bin"), 0o755)
    chmod(folder("bin/\(name)"), 0o755)
    #expect(try ProgramRun(command, words).output == "planted\n")
  }

  @Test(.enabled(if: Namespace.isOwn, Namespace.need))
  func `the helper of the same version is run, before one that is installed`() throws {
    try script("installed", at: "installed")
    let run = """
      mount -t tmpfs none /usr/local && mkdir -p /usr/local/libexec/whorl &&
      cp '\(folder("installed"))' /usr/local/libexec/whorl/whorl-lint && exec '\(command)' lint
      """
    func answer() throws -> String {
      try ProgramRun("/usr/bin/unshare", ["-m", "/bin/sh", "-c", "umask 022; \(run)"]).output
    }
    #expect(try answer() == "installed\n")
    try script("beside", at: "bin/whorl-lint")
    #expect(try answer() == "beside\n")
    try script("own", at: "libexec/whorl/whorl-lint")
    #expect(try answer() == "own\n")
  }
}
