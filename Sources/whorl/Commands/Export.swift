extension Command {
  /// Runs in libexec: to encrypt, it needs what other commands do without.
  static let exportItems = Command(
    name: "export", synopsis: "[options] FILE", summary: "write an encrypted backup",
    text: """
      Writes the items to a new FILE, encrypted under a passphrase, which is asked for twice, or \
      read from the standard input, to its end less a last newline. Items are read as read does it: \
      one act of yours serves 64 of them. “whorl import backup FILE” restores them, on this host \
      or another.

      Items of a ThisDeviceOnly class never leave, nor do keys, items with a password of their own \
      and items that are invalidated: they are named as left behind, and the command succeeds.
      """,
    options: [
      Option(name: "dry-run", short: "n", summary: "say what would be written, and ask nobody"),
      .groupAlone, .noInteraction,
    ]
  ) { arguments throws(CommandError) in
    try Helper.replace("whorl-keyring", [Array("export".utf8)] + arguments.words)
  }
}
