/// whorld(8).
enum ServiceManual {
  static var text: String {
    """
    .TH WHORLD 8 "" "whorl" "System Administration"
    .SH NAME
    whorld \\- keeps secrets that open by a person's finger or password
    .SH SYNOPSIS
    .B whorld
    .RB [ \\-\\-config
    .IR FILE ]
    .br
    .B whorld \\-\\-print
    .I DOCUMENT
    .SH DESCRIPTION
    whorld keeps every user's items, sealed, and opens one for the user who asks once that user
    has proven presence as the item's access control wants.
    It asks who connects of the kernel, fingers of fprintd and passwords of PAM, in helper
    processes of their own; it loads no PAM module and parses no print.
    .PP
    It is started as root by whorld.service when the first client connects to whorl.socket, and
    never ends by itself. Everything it needs of systemd is in these units; for a trial without
    systemd see \\(dqmake demo\\(dq in the sources.
    .SH OPTIONS

    """ + Roff.item("--config FILE", "Read FILE in place of \(Configuration.defaultPath).")
      + Roff.item(
        "--print DOCUMENT",
        "Print one of \(ServiceDocument.names.joined(separator: ", ")) and end.")
      + Roff.item("--help", "Say this in short and end.")
      + ".SH SIGNALS\n"
      + Roff.item("SIGHUP", "Read the configuration again.")
      + Roff.item(
        "SIGTERM, SIGINT", "End: requests that wait for a person are ended without a secret.")
      + ".SH FILES\n" + files
        + """
        .SH DIAGNOSTICS
        What keeps it from starting, and what its files and its configuration suffer from later,
        goes to the standard error, which systemd puts in the journal. Each request leaves a record
        in the state folder, which \\(dqwhorl log\\(dq shows to its user, and a copy in the journal
        with the fields WHORL_ACTION, WHORL_ITEM, WHORL_PROGRAM, WHORL_FACTORS and WHORL_OUTCOME.
        .SH SEE ALSO
        .BR whorld.conf (5),
        .BR whorl (1),
        .BR fprintd (1),
        .BR pam (7)

        """
  }

  private static var files: String {
    let standard = Configuration()
    return [
      (Configuration.defaultPath, "the configuration"), (standard.socket, "where clients connect"),
      (standard.state, "items and their keys"), (standard.runtime, "facts of this boot"),
      (standard.prints, "the prints of fprintd, which are only read"),
      ("/etc/pam.d/whorl-biometry, /etc/pam.d/whorl-passcode", "the PAM services"),
    ].map { Roff.item($0.0, $0.1) }.joined()
  }
}
