import Linux

/// Writes the files by which git, a build server or an editor runs the check.
enum HookInstaller {
  /// Stands in every file written here; a file without it is somebody else's.
  private static let mark = "Made by “whorl lint --install”."

  /// - Returns: what to say of it.
  static func install(_ kind: String, isForced: Bool) throws(LintFailure) -> String {
    switch kind {
    case "git":
      let path = try hooksFolder() + bytes("/pre-commit")
      try write(gitHook, to: path, mode: 0o755, isForced)
      return
        "\(name(path)): each commit is checked. `git commit --no-verify` leaves the check out.\n"
    case "ci":
      try folder(".ci")
      try write(ciScript, to: bytes(".ci/whorl-lint"), mode: 0o755, isForced)
      return ".ci/whorl-lint: call it from the build; it leaves whorl-lint.sarif.\n"
    case "editor":
      try folder(".vscode")
      try write(codeTasks, to: bytes(".vscode/tasks.json"), mode: 0o644, isForced)
      try write(vimScript, to: bytes(".whorl-lint.vim"), mode: 0o644, isForced)
      return """
        .vscode/tasks.json: the task “whorl lint” lists findings as problems.
        .whorl-lint.vim: `:source` it, and no buffer is written that the check refuses.

        """
    default: throw .usage("--install takes git, ci or editor")
    }
  }

  private static func hooksFolder() throws(LintFailure) -> [UInt8] {
    let output = try StagedFiles.git(["rev-parse", "--git-path", "hooks"])
    let path = Array(output.prefix { $0 != UInt8(ascii: "\n") })
    try folder(name(path))
    return path
  }

  private static func folder(_ path: String) throws(LintFailure) {
    do throws(SystemError) {
      try Folder.make(path, mode: 0o777)
    } catch {
      throw LintFailure(message: "\(path): cannot be made (error \(error.code))")
    }
  }

  private static func write(
    _ text: String, to path: [UInt8], mode: UInt32, _ isForced: Bool
  ) throws(LintFailure) {
    do throws(SystemError) {
      if let present = try present(path), !isForced, !present.contains(mark) {
        throw SystemError(code: 0, call: "foreign")
      }
      let new = name(path) + ".whorl-new"
      try? Folder.remove(file: new)
      try File(creating: new, mode: mode).write(bytes(text).span, at: 0)
      try Folder.rename(new, to: name(path))
    } catch {
      throw LintFailure(
        message: error.call == "foreign"
          ? "\(name(path)) is somebody else's; --force replaces it"
          : "\(name(path)): cannot be written (error \(error.code))")
    }
  }

  /// What stands there; nil for nothing. A link counts as somebody else's.
  private static func present(_ path: [UInt8]) throws(SystemError) -> String? {
    do throws(SystemError) {
      return name(try RegularFile.bytes(path, limit: 1 << 20))
    } catch {
      if error.isMissing { return nil }
      if error.isWrongKind || error.isTooLarge { return "" }
      throw error
    }
  }

  /// This very program, whatever PATH says when the hook runs, as a word of the shell.
  private static var program: String {
    let path = name(OwnProcess.executable ?? bytes("whorl-lint"))
    return "'"
      + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }

  private static var gitHook: String {
    """
    #!/bin/sh
    # \(mark) Refuses a commit that would keep or show a secret.
    exec \(program) --staged

    """
  }

  private static var ciScript: String {
    """
    #!/bin/sh
    # \(mark) Fails the build on a finding; the report is whorl-lint.sarif.
    set -u
    cd "$(dirname "$0")/.." || exit 1
    whorl lint --sarif . >whorl-lint.sarif
    status=$?
    [ "$status" = 0 ] || whorl lint .
    exit "$status"

    """
  }

  private static var codeTasks: String {
    #"""
    {
      // \#(mark)
      "version": "2.0.0",
      "tasks": [
        {
          "label": "whorl lint",
          "type": "process",
          "command": "whorl",
          "args": ["lint", "."],
          "group": "test",
          "problemMatcher": {
            "owner": "whorl",
            "fileLocation": ["relative", "${workspaceFolder}"],
            "pattern": {
              "regexp": "^(.*):(\\d+):(\\d+): (error): (.*)$",
              "file": 1, "line": 2, "column": 3, "severity": 4, "message": 5
            }
          }
        }
      ]
    }

    """#
  }

  private static var vimScript: String {
    #"""
    " \#(mark) Judges a buffer before it is written, for Vim and Neovim.
    function! s:WhorlLint() abort
      let l:path = expand('<afile>')
      let l:found = systemlist('whorl lint --stdin --path ' . shellescape(l:path), getline(1, '$'))
      if v:shell_error != 0
        cgetexpr l:found
        throw 'whorl lint refuses ' . l:path . ': ' . join(l:found[0:0])
      endif
    endfunction
    augroup whorl_lint
      autocmd!
      autocmd BufWritePre * call s:WhorlLint()
    augroup END

    """#
  }
}
