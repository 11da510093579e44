/// The example that is installed as the configuration: every key in a comment, with its default.
enum ConfigurationExample {
  static var text: String {
    var text = comment(
      "Configuration of whorld, see whorld.conf(5). A line is key = value; a line that begins "
        + "with # is a comment. Each key is shown with its default. An unknown key or a bad value "
        + "stops the start, and is passed over at a reload: the old configuration then stays.")
    for key in ConfigurationKey.all {
      let standard = key.standard.isEmpty ? "" : " " + key.standard
      let note = standard.isEmpty ? " By default \(key.emptyDefault)." : ""
      text += "\n" + comment(key.text + note + " " + ConfigurationText.values(key))
      text += "#\(key.name) =\(standard)\n"
    }
    return text
  }

  /// Lines of at most 100 columns.
  private static func comment(_ text: String) -> String {
    var lines: [String] = []
    var line = "#"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 100 {
        lines.append(line)
        line = "#"
      }
      line += " " + word
    }
    return (lines + [line]).joined(separator: "\n") + "\n"
  }
}
