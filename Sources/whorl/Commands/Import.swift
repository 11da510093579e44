import Wire

extension Command {
  /// Runs in libexec: GLib and libsecret would cost every command its start.
  static let importItems = Command(
    name: "import",
    synopsis: "[options] secret-service | backup FILE | csv FILE | pass [FOLDER] | env FILE",
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
      anew, over what Whorl has.

      backup FILE: what whorl export wrote. The passphrase is asked for, or read from the standard \
      input. The whole file is checked before the first item is stored; items that are there already \
      stay, or are replaced with --replace. An item goes to the store that it was in, or to that of \
      --store; without a keyring to take those that were in one, nothing is restored. An item bound to the enrolled fingerprints is bound to \
      those of this host.

      csv FILE: what KeePassXC, Bitwarden, 1Password or a browser exports. Passwords, one-time secrets \
      and notes become items of their own; user name, address and folder become attributes. pass [FOLDER]: \
      the store of pass(1), decrypted by gpg; the first line is the secret, and what follows it an \
      item of its own. env FILE: \
      NAME=value lines, each an item; nothing is expanded. FILE may be “-”, the standard \
      input. A CSV and an env file hold secrets in the open: delete them after.

      Exits 1 when something could not be taken over.
      """,
    options: [
      Option(
        name: "attribute", value: "KEY=VALUE",
        summary: "with secret-service, items that have it only; repeatable"),
      .access, .itemClass, .reuse,
      Option(
        name: "store", value: "STORE", summary: "with backup, where its items go; as for add",
        words: StoreKind.allCases.map(\.word)),
      Option(name: "service", value: "SERVICE", summary: "with env, the service of the items"),
      Option(name: "move", summary: "with secret-service, delete what was taken over"),
      Option(name: "replace", summary: "import anew what has changed"),
      Option(name: "dry-run", short: "n", summary: "say what would be done, and store nothing"),
      .group, .noInteraction,
    ], words: ["secret-service", "backup", "csv", "pass", "env"]
  ) { arguments throws(CommandError) in
    try Helper.replace("whorl-keyring", [Array("import".utf8)] + arguments.words)
  }
}
