import AccessControl
import Foundation
import Glibc
import ScriptedServer
import TemporaryFolder
import Testing
import Wire

/// The completions, inside the shells they are for: a person types, presses Tab and Enter, and
/// what the shell then runs is looked at.
struct CompletionTests {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// An interactive shell that reads nobody's configuration.
    var command: String {
      switch self {
      case .bash: "bash --norc --noprofile -i"
      case .zsh: "zsh -f -i"
      case .fish: "fish --no-config -i"
      }
    }

    func load(_ folder: String) -> String {
      switch self {
      case .bash: "source \(folder)/_whorl"
      case .zsh: "fpath=(\(folder) $fpath); autoload -Uz compinit; compinit -D -u"
      case .fish: "source \(folder)/_whorl"
      }
    }
  }

  private static let names = [
    "github/token", "my token", "my secret", "it's", "a$b", "x\"y", "http://u@h/k", "ünï", "c=d",
    "tick`s", "back\\slash", "star*", "; rm",
  ]

  /// What is typed, `⇥` for Tab, and the words the program then gets.
  private static let lines: [(typed: String, words: [String])] = [
    ("whorl sh⇥git⇥", ["show", "github/token"]),
    ("whorl read git⇥it⇥", ["read", "github/token", "it's"]),
    ("whorl rm my\\ t⇥", ["rm", "my token"]),
    ("whorl rm \"my t⇥", ["rm", "my token"]),
    ("whorl rm 'my s⇥", ["rm", "my secret"]),
    ("whorl rearm a⇥", ["rearm", "a$b"]),
    ("whorl update x⇥", ["update", "x\"y"]),
    ("whorl read http:⇥", ["read", "http://u@h/k"]),
    ("whorl read http://u@h⇥", ["read", "http://u@h/k"]),
    ("whorl read c=⇥", ["read", "c=d"]),
    ("whorl read ü⇥", ["read", "ünï"]),
    ("whorl read tick⇥", ["read", "tick`s"]),
    ("whorl read back⇥", ["read", "back\\slash"]),
    ("whorl read star⇥", ["read", "star*"]),
    ("whorl read \\;⇥", ["read", "; rm"]),
    ("whorl read --no-i⇥git⇥", ["read", "--no-interaction", "github/token"]),
    ("whorl read --reason git git⇥", ["read", "--reason", "git", "github/token"]),
    ("whorl read --group other o⇥", ["read", "--group", "other", "of another group"]),
    ("whorl read --group=other o⇥", ["read", "--group=other", "of another group"]),
    ("whorl add --class whenP⇥new", ["add", "--class", "whenPasscodeSetThisDeviceOnly", "new"]),
    (
      "whorl add --class=afterFirstUnlockT⇥new",
      [
        "add", "--class=afterFirstUnlockThisDeviceOnly", "new",
      ]
    ),
    ("whorl run --with git⇥", ["run", "--with", "github/token"]),
    ("whorl run --with=git⇥", ["run", "--with=github/token"]),
    ("whorl run --with my\\ token,git⇥", ["run", "--with", "my token,github/token"]),
    ("whorl completions fi⇥", ["completions", "fish"]),
    // Nothing to complete, and nothing of what is typed is run.
    ("whorl read '$(whorl evil)'⇥", ["read", "$(whorl evil)"]),
  ]

  @Test(arguments: Shell.allCases)
  func `a shell completes commands, options and names`(_ shell: Shell) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      Array(try Program.run("completions", shell.rawValue).text.utf8), to: "_whorl")
    try folder.write(Self.names.flatMap { Array($0.utf8) + [0] }, to: "whorl.names")
    try folder.write(Array("of another group\0".utf8), to: "other.names")
    // Stands for the program: it has names, and writes down how else it is called.
    try folder.write(
      Array(
        """
        #!/bin/sh
        case $*/$1 in
          "list -0 --group whorl"/list | "list -0 --group other"/list) cat "\(folder.path)/$4.names" ;;
          *) printf '%s\\n' "$@" . >>"\(folder.path)/calls" ;;
        esac
        """.utf8), to: "whorl")
    #expect(chmod(folder("whorl"), 0o755) == 0)

    let typed = [shell.load(folder.path)] + Self.lines.map(\.typed) + ["exit"]
    let result = try Utility.run(
      "script", ["-qec", shell.command, "/dev/null"], package: shell.rawValue,
      needs: shell.rawValue,
      input: typed.map { $0.replacing("⇥", with: "\t") + "\r" }.joined(),
      environment: ["PATH": "\(folder.path):/usr/bin:/bin", "TERM": "xterm"])
    let calls = try String(contentsOfFile: folder("calls"), encoding: .utf8)
      .components(separatedBy: "\n.\n").dropLast().map { $0.components(separatedBy: "\n") }
    #expect(calls.count == Self.lines.count, "\(result.output)")
    for (line, call) in zip(Self.lines, calls) {
      #expect(call == line.words, "\(line.typed)")
    }
  }

  @Test func `bare names are for programs: as they are, each ended by a zero byte`() throws {
    let rows = try ["a\nb", "s/ü"].map { name in
      ItemRow(
        row: 1,
        identity: ItemIdentity(group: bytes("whorl"), service: [], account: bytes(name)),
        attributes: Attributes(), accessControl: try AccessControl(text: "none"), created: 1,
        modified: 1, isInvalidated: false)
    }
    let script: [ScriptedServer.Step] =
      .greeting + [
        .send(.done(.items(rows))), .receive, .send(.done(.items([]))), .untilClosed,
      ]
    let result = try Program.run("list", "-0", socket: ScriptedServer(script).listen())
    #expect(result.output == bytes("a\nb\0s/ü\0"))
    let folder = try TemporaryFolder()
    let shown = try Utility.run(
      "script", ["-qec", "\(Program.path) list -0", "/dev/null"], package: "bsdutils",
      environment: ["WHORL_SOCKET": ScriptedServer(script).listen(), "HOME": folder.path])
    #expect(shown.status == 206)
    #expect(shown.output.contains("names as they are do not go to a terminal"))
  }
}
