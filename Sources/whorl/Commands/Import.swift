extension Command {
  /// Runs in libexec: GLib and libsecret would cost every command its start.
  static let importItems = Command(
    name: "import", synopsis: "[options] secret-service",
    summary: "take items over from elsewhere",
    text: """
      secret-service: the items of your GNOME Keyring, KWallet or KeePassXC, by the Secret Service \
      of your session; of all its collections, or those that --attribute names. Label and \
      attributes are kept. The name is made of the attributes for service and account, or of the \
      label. An item is stored as open as it was, read back and compared byte by byte, and then \
      gated by --access, in one step; so nobody is asked. With --move the original is deleted after \
      that, if it has not changed meanwhile. Items that an earlier run imported are compared before \
      they are deleted, which asks once for 64 of them.

      It may be interrupted and run again: what was imported is known by its mark and not imported \
      twice. What has changed there since is named and left alone; with --replace it is imported \
      anew, over what Whorl has. Exits 1 when something could not be taken over.
      """,
    options: [
      Option(
        name: "attribute", value: "KEY=VALUE",
        summary: "with secret-service, items that have it only; repeatable"),
      .access, .itemClass, .reuse,
      Option(name: "move", summary: "with secret-service, delete what was taken over"),
      Option(name: "replace", summary: "import anew what has changed"),
      Option(name: "dry-run", short: "n", summary: "say what would be done, and store nothing"),
      .group, .noInteraction,
    ], words: ["secret-service"]
  ) { arguments throws(CommandError) in
    try Helper.replace("whorl-keyring", [Array("import".utf8)] + arguments.words)
  }
}
