import Linux

/// The one thing of fprintd's configuration that matters here.
enum FprintdConfiguration {
  /// Whether prints are kept in files: fprintd's default, and its only built-in storage. What
  /// cannot be read or understood is another storage.
  static func keepsFiles(_ path: String) -> Bool {
    guard FileFacts(path: path) != nil else { return true }
    guard let text = SmallFile.text(path, limit: 16_384) else { return false }
    return keepsFiles(text: text)
  }

  /// As in every file of GLib's keys, the last of several values holds.
  static func keepsFiles(text: String) -> Bool {
    var isStorage = false
    var keepsFiles = true
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.filter { !$0.isWhitespace }
      if line.hasPrefix("[") {
        isStorage = line == "[storage]"
      } else if isStorage, line.hasPrefix("type=") {
        keepsFiles = line == "type=file"
      }
    }
    return keepsFiles
  }
}
