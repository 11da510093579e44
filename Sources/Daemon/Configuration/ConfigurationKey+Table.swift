extension ConfigurationKey {
  /// The table that the parser, the manual page and the example are made from.
  public static let all: [ConfigurationKey] = [
    .path(
      "socket", \.socket,
      "Where clients connect. Under systemd the socket comes from whorl.socket."),
    .path("state", \.state, "Items and their keys. Only root may enter."),
    .path(
      "runtime", \.runtime,
      "Facts of this boot: back-off after wrong passwords, first unlocks. Only root may enter."),
    .path("worker-socket", \.workerSocket, "The socket of the PAM helper."),
    .path("print-reader-socket", \.printReaderSocket, "The socket of the print reader."),
    .path(
      "pam-directory", \.pamDirectory,
      "The folder with the PAM services whorl-biometry and whorl-passcode.",
      emptyDefault: "the system's own folders"),
    .path("prints", \.prints, "Where fprintd keeps the prints."),
    .busAddress("bus-address", \.busAddress, "The bus of fprintd and logind."),
    .path("passwd", \.passwd, "A change of this file makes whorld ask about accounts again."),
    .path(
      "shadow", \.shadow,
      "A change of this file makes whorld ask again whether accounts have usable passwords. Its "
        + "times alone are looked at."),
    .path(
      "active-terminal", \.activeTerminal,
      "Names the console that is shown: a login there is at the reader."),
    .choice("without-logind", \.withoutLogind, "What holds where logind does not run.") {
      switch $0 {
      case .refuse: "nobody is at the reader, and every session is locked"
      case .allow:
        "everyone is at the reader of an unlocked host, which suits a host with one person"
      }
    },
    .choice("passcodes", \.passcodes, "Who knows whether an account has a usable password.") {
      switch $0 {
      case .shadow: "the shadow database, and PAM for accounts that are not in it"
      case .pam: "PAM alone, for hosts whose passwords are kept elsewhere"
      }
    },
    .choice(
      "passcode-after-boot", \.passcodeAfterBoot,
      "Whether a finger does only after the password was given since boot."
    ) {
      switch $0 {
      case .off: "a finger does from the start"
      case .on: "the password must be given first, to a login or to whorld"
      }
    },
    .number(
      "passcode-after-hours", \.passcodeAfterHours, in: 0...8760, unit: "hours",
      "After so long without the password a finger does no more until it is given. 0 is never."),
    .number(
      "passcode-after-failures", \.passcodeAfterFailures, in: 0...1000, unit: "",
      "After so many fingers that did not match, one after another, only the password does. 0 is "
        + "never."),
    .number(
      "quota", \.quota, in: 1...1 << 40, unit: "bytes", isReloaded: false,
      "How much one user may store: sealed items with their names, each 1024 bytes at the least."),
    .number(
      "connections-per-user", \.connectionsPerUser, in: 1...100_000, unit: "",
      "Connections of one user at a time. Root has a share of its own."),
    .number(
      "prompts-per-user", \.promptsPerUser, in: 1...64, unit: "",
      "Requests of one user that may wait for a person; the next one is told that it is busy."),
    .number(
      "hello-limit", \.helloLimit, in: 1...60_000, unit: "milliseconds",
      "How long a client may take for its first message, and for the rest of a message begun."),
    .number(
      "shown-limit", \.shownLimit, in: 1...60_000, unit: "milliseconds",
      "How long a client may take to say that it has shown its prompt."),
    .number(
      "prompt-limit", \.promptLimit, in: 1...600_000, unit: "milliseconds",
      "How long a prompt waits for a person."),
    .number(
      "write-limit", \.writeLimit, in: 1...600_000, unit: "milliseconds",
      "How long a client may leave an answer unread."),
    .number(
      "fetch-limit", \.fetchLimit, in: 1...600_000, unit: "milliseconds",
      "How long a client may take to bring sealed items that are kept in the user's keyring."),
    .number(
      "capture-limit", \.captureLimit, in: 1000...120_000, unit: "milliseconds",
      isReloaded: false,
      "How long a password that a login handed over is kept until it is found right; then it is "
        + "dropped."),
    .number(
      "worker-limit", \.workerLimit, in: 1...50_000, unit: "milliseconds", isReloaded: false,
      "How long one PAM transaction may take, whatever its modules do."),
    .number(
      "rearm-delay", \.rearmDelay, in: 0...60_000, unit: "milliseconds",
      "How long the reader rests between the end of a verification and the next."),
  ]
}
