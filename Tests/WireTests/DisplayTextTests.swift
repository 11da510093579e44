import Testing
import Wire

@Suite struct DisplayTextTests {
  @Test(arguments: [
    ("", "\"\""), ("token", "\"token\""), ("Zoë Ñ ß", "\"Zoë Ñ ß\""), ("a b", "\"a b\""),
    ("\u{1b}[31mred", "\"\\u{1b}[31mred\""), ("a\nb", "\"a\\u{a}b\""), ("a\tb", "\"a\\u{9}b\""),
    ("a\rb", "\"a\\u{d}b\""), ("\u{7f}", "\"\\u{7f}\""), ("\u{9b}31m", "\"\\u{9b}31m\""),
    ("\u{202a}x", "\"\\u{202a}x\""), ("\u{202e}txt.exe", "\"\\u{202e}txt.exe\""),
    ("\u{2066}x\u{2069}", "\"\\u{2066}x\\u{2069}\""),
    ("\u{200e}\u{200f}", "\"\\u{200e}\\u{200f}\""),
    ("a\u{200b}b", "\"a\\u{200b}b\""), ("a\u{200d}b", "\"a\\u{200d}b\""),
    ("\u{feff}", "\"\\u{feff}\""),
    ("a\u{ad}b", "\"a\\u{ad}b\""), ("\u{2028}\u{2029}", "\"\\u{2028}\\u{2029}\""),
    ("\u{a0}\u{3000}", "\"\\u{a0}\\u{3000}\""), ("e\u{301}", "\"e\\u{301}\""),
    ("\u{5d0}", "\"\\u{5d0}\""), ("\u{627}", "\"\\u{627}\""), ("\u{e000}", "\"\\u{e000}\""),
    ("\u{e0041}", "\"\\u{e0041}\""), ("\u{fe0f}", "\"\\u{fe0f}\""), ("\u{3164}", "\"\\u{3164}\""),
    ("<b>&amp;", "\"\\u{3c}b>\\u{26}amp;\""), ("\"", "\"\\\"\""), ("\\", "\"\\\\\""),
    ("a\0b", "\"a\\u{0}b\""), ("日本", "\"日本\""), ("🔑", "\"🔑\""),
  ])
  func `text is shown as the table says`(text: String, shown: String) {
    #expect(displayText(text) == shown)
  }

  @Test(
    arguments: [
      ([0xff], "\"\\xff\""), ([0xc0, 0x80], "\"\\xc0\\x80\""),
      ([0x61, 0xe2, 0x82], "\"a\\xe2\\x82\""),
      ([0xed, 0xa0, 0x80], "\"\\xed\\xa0\\x80\""),
      ([0xf4, 0x90, 0x80, 0x80], "\"\\xf4\\x90\\x80\\x80\""),
      ([0xe0, 0x80, 0xaf], "\"\\xe0\\x80\\xaf\""), ([0x9b], "\"\\x9b\""),
    ] as [([UInt8], String)])
  func `bytes that are no UTF-8 are shown by number`(bytes: [UInt8], shown: String) {
    #expect(displayText(bytes) == shown)
  }

  @Test func `a text of 64 cells stays, a longer one is cut with a mark`() {
    let fits = String(repeating: "x", count: 62)
    #expect(displayText(fits) == "\"\(fits)\"")
    let cut = displayText(fits + "y")
    #expect(cut == "\"" + String(repeating: "x", count: 61) + "…\"")
    #expect(cut.count == 64)
  }

  @Test func `wide characters take two cells`() {
    let fits = String(repeating: "漢", count: 31)
    #expect(displayText(fits) == "\"\(fits)\"")
    #expect(displayText(fits + "漢") == "\"" + String(repeating: "漢", count: 30) + "…\"")
    // The last of Tangut, and a hexagram: wide since Unicode 16.
    for wide in ["\u{18d08}", "\u{1d306}", "\u{268a}"] {
      let text = String(repeating: "x", count: 60)
      #expect(displayText(text + wide) == "\"\(text)\(wide)\"")
      #expect(displayText(text + "x" + wide) == "\"\(text)x…\"")
    }
  }

  @Test func `an escape is never cut in the middle`() {
    for count in 50...70 {
      let shown = displayText(String(repeating: "x", count: count) + "\u{202e}tail")
      #expect(shown.count <= 64)
      #expect(shown.contains("\\u{202e}") || !shown.contains("\\"))
    }
  }

  @Test func `a pile of combining marks does not leave its line`() {
    let shown = displayText("a" + String(repeating: "\u{301}", count: 1000))
    #expect(shown.unicodeScalars.allSatisfy { $0.isASCII || $0 == "…" })
    #expect(shown.count <= 64)
  }

  @Test func `whatever the bytes, the result is printable, short and quoted`() {
    var generator = SeededGenerator(state: 7)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...90, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      let shown = displayText(bytes)
      #expect(shown.hasPrefix("\"") && shown.hasSuffix("\""))
      #expect(shown.unicodeScalars.count <= 64)
      #expect(
        shown.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && $0.value != 0x7f && !(0x80..<0xa0).contains($0.value)
            && $0.properties.generalCategory != .format
        })
    }
  }
}
