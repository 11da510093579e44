import Linux

/// Words to who administers the host, on the standard error, which systemd puts in the journal.
/// Never a secret, and nothing that a client chose.
public enum ServiceNote {
  public static func write(_ text: String) {
    BlockingStream.standardError.write("whorld: \(text)\n")
  }
}
