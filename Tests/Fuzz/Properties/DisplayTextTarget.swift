import Glibc
import Wire

extension FuzzTarget {
  static let displayText = FuzzTarget(name: "display-text") { bytes in
    let text = Wire.displayText(bytes)
    try requireDisplayable(text, "a quoted text")
    try require(!text.contains("\n"), "a quoted text is one line")
    try require(cells(text) <= displayTextCells, "a quoted text has its width")
    guard let (read, isCut) = parsedDisplayText(text) else {
      throw Violation("a quoted text can be read back")
    }
    if !isCut {
      try require(read == bytes, "a quoted text means what was quoted")
    } else {
      // A mark of omission may stand for itself at the end, or for what was cut.
      try require(
        bytes.starts(with: read) && bytes.count > read.count, "a cut text means its beginning")
    }
  }

  /// As the C library counts. What it does not know yet counts as one.
  private static func cells(_ text: String) -> Int {
    _ = hasLocale
    return text.unicodeScalars.reduce(0) { count, scalar in
      let width = cellsOfCharacter(Int32(bitPattern: scalar.value))
      return count + (width < 0 ? 1 : Int(width))
    }
  }

  private static let hasLocale: Bool = setlocale(LC_CTYPE, "C.UTF-8") != nil
}

/// Glibc's header hides it.
@_silgen_name("wcwidth")
private func cellsOfCharacter(_ character: Int32) -> Int32
