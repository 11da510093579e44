import Lint
import Testing

@Suite struct LexerTests {
  static func corpus() throws -> [[UInt8]] {
    try (Snippet.all("wrong") + Snippet.all("right")).flatMap(\.files).map { Array($0.text.utf8) }
  }

  /// The kinds of the tokens that mean something, with their texts.
  private func texts(_ source: String) -> [String] {
    let bytes = Array(source.utf8)
    return SwiftLexer.tokens(bytes).filter {
      ![.space, .newline, .lineComment, .blockComment].contains($0.kind)
    }.map { String(decoding: bytes[$0.start..<$0.end], as: UTF8.self) }
  }

  private func covers(_ bytes: [UInt8]) -> Bool {
    var end = 0
    for token in SwiftLexer.tokens(bytes) {
      guard token.start == end, token.end >= end else { return false }
      end = token.end
    }
    return end == bytes.count
  }

  @Test(arguments: 0..<20)
  func `tokens of any bytes are those bytes`(seed: UInt64) throws {
    let files = try Self.corpus()
    var noise = Noise(seed: seed)
    for _ in 0..<200 {
      let bytes = noise.bytes(from: files)
      #expect(covers(bytes), "\(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test(arguments: 0..<20)
  func `no bytes trap the check, whatever they are read as`(seed: UInt64) throws {
    let files = try Self.corpus()
    var noise = Noise(seed: seed &+ 1000)
    for _ in 0..<100 {
      let bytes = noise.bytes(from: files)
      for path in ["a.swift", "a.json", "a.sh", "Info.plist", ".env", "a.pbxproj"] {
        #expect(Verdict(bytes, path: path) != nil)
      }
    }
  }

  @Test func `depth exhausts nothing`() {
    for opening in ["(", "[", "{", "\"\\(", "/*", "f(", "x.", "!", "$(", "{\"a\":"] {
      let bytes = Array(String(repeating: opening, count: 20_000).utf8)
      #expect(covers(bytes))
      for path in ["a.swift", "a.json", "a.sh"] { #expect(Verdict(bytes, path: path) != nil) }
    }
  }

  @Test func `texts hold code, and code holds texts`() {
    let nested = [
      "print", "(", "\"", "a ", "\\(", "b", "(", "\"", "c", "\"", ")", ")", " d", "\"", ")",
    ]
    #expect(texts("print(\"a \\(b(\"c\")) d\")") == nested)
    let raw = ["#\"", "a \\(b) ", "\\#(", "c", ")", "\"#"]
    #expect(texts("#\"a \\(b) \\#(c)\"#") == raw)
    let long = ["\"\"\"", "\n \"x\" \\\"\"\" \n", "\"\"\""]
    #expect(texts("\"\"\"\n \"x\" \\\"\"\" \n\"\"\"") == long)
    #expect(texts("\"open\nnext") == ["\"", "open", "", "next"])
  }

  @Test func `comments nest`() {
    #expect(texts("a /* b /* c */ d */ e // f\ng") == ["a", "e", "g"])
  }

  @Test func `a slash divides after a value, and begins a pattern elsewhere`() {
    #expect(texts("a / b / c") == ["a", "/", "b", "/", "c"])
    #expect(texts("a/b/c") == ["a", "/", "b", "/", "c"])
    #expect(texts(#"x = /"a[/]b"/"#) == ["x", "=", #"/"a[/]b"/"#])
    #expect(texts(#"f(/a\/"/, b)"#) == ["f", "(", #"/a\/"/"#, ",", "b", ")"])
    #expect(texts("#/ \" \n /#x") == ["#/ \" \n /#", "x"])
  }

  @Test func `names, numbers and operators`() {
    #expect(
      texts("`default`.x1 ?? $0 @A.b #if 1.5e3 0..<9") == [
        "`default`", ".", "x1", "??", "$0", "@A", ".", "b", "#if", "1.5e3", "0", "..<", "9",
      ])
    #expect(texts("a!=b") == ["a", "!=", "b"])
    #expect(texts("größe == π") == ["größe", "==", "π"])
  }
}
