/// A piece of Swift source. The tokens of a text, one after another, are the text.
public struct Token: Sendable, Equatable {
  public enum Kind: UInt8, Sendable {
    case space, newline, lineComment, blockComment
    /// A name or keyword; with a leading `@`, `#` or `$`, and in backticks.
    case word
    case number
    /// One operator or other sign that is no bracket.
    case mark
    /// `(`, `[` or `{`, and their ends.
    case open, close
    case stringOpen, stringText, interpolationOpen, interpolationClose
    /// The end of a literal; empty where the text ends first.
    case stringClose
    case regex
  }

  public let kind: Kind
  /// Places in the bytes of the text.
  public let start: Int
  public let end: Int

  /// Whether it says nothing to the compiler.
  var isTrivia: Bool { kind.rawValue <= Kind.blockComment.rawValue }
}
