extension Command {
  static let lint = Command(
    name: "lint",
    synopsis: "[options] [PATH…] | --staged | --stdin --path FILE | --install git|ci|editor",
    summary: "check source for secrets kept, shown or read where they should not be",
    text: """
      Reads Swift, JSON, property lists, .env and shell files below each PATH, by default the \
      working folder. Each finding has a rule, a place and a fix. Links are not followed; .git, \
      .build and the like are left out; files over 4 MiB and what is no text are skipped and counted.

      A line is excused by a comment on it or right above: “whorl:allow RULE because …”, with a \
      reason.

      Exits 0 when nothing is found, and 1 for a finding or a file that cannot be read.
      """,
    options: [
      Option(name: "staged", summary: "check what the next commit would hold, from git's index"),
      Option(name: "stdin", summary: "check the standard input before it is written"),
      Option(name: "path", value: "FILE", summary: "where the text of --stdin would be written"),
      .json,
      Option(name: "sarif", summary: "print SARIF 2.1.0"),
      Option(
        name: "install", value: "KIND", summary: "write a hook: git, ci or editor",
        words: ["git", "ci", "editor"]),
      Option(name: "force", summary: "with --install, replace a file that is somebody else's"),
      Option(name: "rules", summary: "list the rules"),
    ], isAboutItems: false
  ) { arguments throws(CommandError) in try Helper.replace("whorl-lint", arguments.words) }
}
