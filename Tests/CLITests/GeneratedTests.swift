import Testing

@Suite struct GeneratedTests {
  private func commands() throws -> [String] {
    let help = try Program.run("help").text
    return help.split(separator: "\n").filter { $0.hasPrefix("  whorl ") }.map {
      String($0.split(separator: " ")[1])
    }
  }

  @Test func `help, man page and completions name every command`() throws {
    let commands = try commands()
    #expect(commands.count >= 15)
    let man = try Program.run("help", "man").text
    for command in commands {
      #expect(man.contains("whorl \(command.replacing("-", with: "\\-"))"))
      #expect(try Program.run("help", command).text.hasPrefix("usage: whorl \(command)"))
      #expect(try Program.run(command, "--help").text.hasPrefix("usage: whorl \(command)"))
      for shell in ["bash", "zsh", "fish"] {
        #expect(try Program.run("completions", shell).text.contains(command))
      }
    }
  }
}
