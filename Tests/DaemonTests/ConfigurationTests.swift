import Daemon
import Testing

struct ConfigurationTests {
  @Test func `an empty file is a whole configuration`() throws {
    #expect(try Configuration(parsing: "") == Configuration())
    #expect(try Configuration(parsing: "\n# quota = 1\n \t\r\n") == Configuration())
  }

  @Test(arguments: ConfigurationKey.all)
  func `a key takes its own default`(_ key: ConfigurationKey) throws {
    guard key.emptyDefault.isEmpty else { return }
    #expect(try Configuration(parsing: "\(key.name) = \(key.standard)") == Configuration())
  }

  @Test(arguments: ConfigurationKey.all)
  func `a key takes what it says it takes, and nothing else`(_ key: ConfigurationKey) {
    let (taken, refused): ([String], [String]) =
      switch key.form {
      case .path: (["/", "/a b"], ["", "a", "./a", "/a\0b"])
      case .busAddress: (["unix:path=/a"], ["", "tcp:host=a", "/a", "unix:path=/a\0"])
      case .choice(let choices): (choices.map(\.word), ["", "no", choices[0].word + "x"])
      case .number(let range, _):
        (
          [range.lowerBound, range.upperBound].map(String.init),
          [range.lowerBound - 1, range.upperBound + 1].map(String.init)
            + ["", "x", "1.5", "1k", "99999999999999999999"]
        )
      }
    for value in taken {
      #expect(throws: Never.self) { try Configuration(parsing: "\(key.name) = \(value)") }
    }
    for value in refused {
      #expect(throws: Configuration.Problem(line: 2, text: "bad value for \(key.name)")) {
        try Configuration(parsing: "\n\(key.name) = \(value)")
      }
    }
  }

  @Test func `each key changes one thing of its own`() throws {
    var seen: [Configuration] = [Configuration()]
    for key in ConfigurationKey.all {
      let value =
        switch key.form {
        case .path: "/elsewhere"
        case .busAddress: "unix:path=/elsewhere"
        case .choice(let choices): choices.first { $0.word != key.standard }?.word ?? ""
        case .number(let range, _): String(range.upperBound)
        }
      let changed = try Configuration(parsing: "\(key.name) = \(value)")
      #expect(!seen.contains(changed), "\(key.name)")
      seen.append(changed)
    }
  }

  @Test func `spaces and the ends of lines do not count, and the last value holds`() throws {
    let configuration = try Configuration(parsing: "quota=1\r\n\t quota  =  7 \r\nstate = /a=b")
    #expect(configuration.quota == 7)
    #expect(configuration.state == "/a=b")
  }

  @Test(arguments: [
    ("qouta = 1", "unknown key qouta"), ("quota", "expected key = value"),
    ("= 1", "unknown key "), ("Quota = 1", "unknown key Quota"),
  ])
  func `a misspelled line is an error`(_ line: String, _ text: String) {
    #expect(throws: Configuration.Problem(line: 3, text: text)) {
      try Configuration(parsing: "# a\nquota = 1\n\(line)\n")
    }
  }
}
