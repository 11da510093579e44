import TestHost
import Testing

/// Names come from anywhere and are shown to people: nothing in them may act on a terminal.
@Suite(.serialized) final class EscapingTests {
  static let names = [
    "esc\u{1b}[31mred", "two\nlines", "bidi\u{202e}gnp", "bell\u{7}", "csi\u{9b}2J",
    "isolate\u{2066}x\u{2069}", "<b>bold</b>&amp;", "tab\there", "back\u{8}\u{8}",
    "separator\u{2028}x", "zero\u{200b}width", "return\rover",
  ]

  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete()
  }

  /// Whether the text holds nothing but what this program itself writes to a terminal.
  private func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      scalar == "\n"
        || !(scalar.properties.generalCategory == .control
          || scalar.properties.generalCategory == .format
          || scalar.properties.generalCategory == .lineSeparator
          || scalar.properties.generalCategory == .paragraphSeparator
          || scalar.properties.isBidiControl)
    }
  }

  @Test func `names and reasons reach terminal and log only escaped`() throws {
    for name in Self.names {
      try host.add(name, access: "userPresence")
      let prompt = try host.terminal(["read", "--reason", "because \(name)", name])
      try prompt.expect(PrivateHost.touchOrType)
      let lines = prompt.output.split(separator: "\n").count
      #expect(lines == 3, "\(prompt.output.debugDescription)")
      prompt.type("sesame\n")
      #expect(try prompt.status() == 0)
      #expect(isHarmless(prompt.output), "\(prompt.output.debugDescription)")
    }
    for command in [["list"], ["log", "-n", "100"]] {
      let result = try host.whorl(command)
      #expect(result.status == 0)
      #expect(isHarmless(result.output), "\(result.output.debugDescription)")
      #expect(result.output.contains("gnp"))
    }
    #expect(
      try host.whorl(["list"]).output.split(separator: "\n").count == Self.names.count)
    for name in Self.names {
      let show = try host.whorl(["show", name])
      #expect(show.status == 0 && isHarmless(show.output), "\(show.output.debugDescription)")
      let absent = try host.whorl(["show", name + "\u{1b}[0m"])
      #expect(absent.status == 44 && isHarmless(absent.error), "\(absent.error.debugDescription)")
      let lines = try host.whorl(["log", "--json", "-n", "1"]).output
      #expect(isHarmless(lines), "\(lines.debugDescription)")
    }
  }

  @Test func `a program's own path is escaped where others read it`() throws {
    let program = "\(host.folder)/evil\u{1b}]0;x\u{7}\u{202e}\n"
    try host.copy(host.command, program)
    try host.add("token")
    let first = try host.terminal(program: [program, "read", "token"])
    try first.expect(PrivateHost.touchOrType)
    let second = try host.terminal(["read", "token"])
    try second.expect("first: a touch now serves that.")
    #expect(isHarmless(first.output) && isHarmless(second.output))
    #expect(second.output.split(separator: "\n").count == 1)
    first.type("sesame\n")
    #expect(try first.status() == 0)
    second.interrupt()
    #expect(try second.status() == 128)
    #expect(isHarmless(try host.whorl(["log"]).output))
  }
}
