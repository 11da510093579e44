/// whorld.conf(5), from the table of keys.
enum ConfigurationManual {
  static var text: String {
    """
    .TH WHORLD.CONF 5 "" "whorl" "File Formats"
    .SH NAME
    whorld.conf \\- configuration of whorld(8)
    .SH SYNOPSIS
    .I \(Roff.text(Configuration.defaultPath))
    .SH DESCRIPTION
    A line is
    .RI \\(dq key " = " value \\(dq;
    a line that begins with # is a comment, an empty line is nothing.
    Every key has a default, so that an empty file, and none, is a whole configuration.
    Of a key given twice the last value holds.
    .PP
    An unknown key or a bad value stops the start.
    A reload (SIGHUP, \\(dqsystemctl reload whorld\\(dq) reads the file again: keys marked so change
    for what begins from then on; a mistake leaves everything as it was and is told in the journal.
    .SH KEYS

    """ + ConfigurationKey.all.map(entry).joined()
      + """
      .SH FILES
      .TP
      .I \(Roff.text(Configuration.defaultPath))
      read at the start unless
      .BR "whorld \\-\\-config" " names another"
      .SH SEE ALSO
      .BR whorld (8),
      .BR whorl (1)

      """
  }

  private static func entry(_ key: ConfigurationKey) -> String {
    let standard = key.standard.isEmpty ? key.emptyDefault : key.standard
    return Roff.item(
      key.name, key.text, ConfigurationText.values(key),
      "Default: \(standard). \(key.isReloaded ? "A reload changes it." : "Read at the start only.")"
    )
  }
}

/// What the manual page and the example say of a key's values.
enum ConfigurationText {
  static func values(_ key: ConfigurationKey) -> String {
    switch key.form {
    case .path: return "An absolute path."
    case .busAddress: return "A D-Bus address that begins with unix:."
    case .choice(let choices):
      return choices.map { "\($0.word): \($0.meaning)." }.joined(separator: " ")
    case .number(let range, let unit):
      let what = unit.isEmpty ? "A number" : "A number of \(unit)"
      return "\(what) from \(range.lowerBound) to \(range.upperBound)."
    }
  }
}
