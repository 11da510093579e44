/// The only way an item's name, a reason or a program's name reaches a terminal, notification,
/// dialog or log field: quoted, at most ``displayTextCells`` cells wide, everything escaped that
/// is not a printable character of fixed meaning.
///
/// Bytes that are no UTF-8 show as `\xHH`, characters that are not shown as they are as `\u{H…}`,
/// a quotation mark and a backslash with a backslash before; `<` and `&` are escaped too, since
/// some notifications read markup. Text that is too long ends in `…` inside the quotes. Equal
/// output means equal input, up to that cut.
///
/// - Parameter limit: another width, for what has lines of its own.
public func displayText(_ bytes: [UInt8], cells limit: Int = displayTextCells) -> String {
  var pieces: [(text: String, cells: Int)] = []
  var cells = 2
  var index = 0
  while index < bytes.count, cells <= limit {
    let piece: (text: String, cells: Int)
    if let (scalar, length) = scalar(in: bytes, at: index) {
      piece = shown(scalar)
      index += length
    } else {
      piece = ("\\x" + hexadecimal(UInt32(bytes[index]), digits: 2), 4)
      index += 1
    }
    pieces.append(piece)
    cells += piece.cells
  }
  guard cells > limit else { return "\"" + pieces.map(\.text).joined() + "\"" }
  while cells + 1 > limit, let last = pieces.popLast() { cells -= last.cells }
  return "\"" + pieces.map(\.text).joined() + "…\""
}

/// The same for text of our own making or already decoded.
public func displayText(_ text: String) -> String {
  displayText(Array(text.utf8))
}

/// The width of the longest ``displayText(_:)``, quotes included.
public let displayTextCells = 64

/// As much of a long name as ``displayText(_:)`` shows, and more: what a prompt and a list of
/// records carry of it, so that no name makes them longer than a message.
public func displayPrefix(_ bytes: [UInt8]) -> [UInt8] {
  // No cell takes more than four bytes.
  var count = 8 * displayTextCells
  guard bytes.count > count else { return bytes }
  while count > 0, bytes[count] & 0xc0 == 0x80 { count -= 1 }
  return Array(bytes[..<count])
}

private func shown(_ scalar: Unicode.Scalar) -> (text: String, cells: Int) {
  switch scalar {
  case "\\": return ("\\\\", 2)
  case "\"": return ("\\\"", 2)
  default: break
  }
  guard isPlain(scalar) else {
    let escape = "\\u{" + hexadecimal(scalar.value, digits: 1) + "}"
    return (escape, escape.utf8.count)
  }
  return (String(scalar), isWide(scalar.value) ? 2 : 1)
}

/// Whether the character may be shown as it is: it prints, it moves no other character, and it
/// stands in a cell of its own. Combining marks do not: enough of them climb over other lines.
private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII {
    return scalar.value >= 0x20 && scalar.value < 0x7f && scalar != "<" && scalar != "&"
  }
  let properties = scalar.properties
  guard !properties.isDefaultIgnorableCodePoint, !properties.isNoncharacterCodePoint,
    !isRightToLeft(scalar.value)
  else { return false }
  switch properties.generalCategory {
  case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
    .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
    .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
    .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
    // Blank although called letters or symbols: braille blank and the Hangul fillers.
    return ![0x2800, 0x115f, 0x1160, 0x3164, 0xffa0].contains(scalar.value)
  case .nonspacingMark, .spacingMark, .enclosingMark, .spaceSeparator, .lineSeparator,
    .paragraphSeparator, .control, .format, .surrogate, .privateUse, .unassigned:
    return false
  @unknown default:
    return false
  }
}

/// Scripts written from right to left turn the order of what stands beside them, quotes and our
/// own words included, so they are shown by number.
private func isRightToLeft(_ value: UInt32) -> Bool {
  switch value {
  case 0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff: true
  default: false
  }
}

/// Characters that take two cells on a terminal.
private func isWide(_ value: UInt32) -> Bool {
  switch value {
  case 0x1100...0x115f, 0x231a...0x231b, 0x2329...0x232a, 0x23e9...0x23f3, 0x25fd...0x25fe,
    0x2614...0x2615, 0x2630...0x2637, 0x2648...0x2653, 0x267f, 0x268a...0x268f, 0x2693, 0x26a1,
    0x26aa...0x26ab, 0x26bd...0x26be, 0x26c4...0x26c5, 0x26ce, 0x26d4, 0x26ea, 0x26f2...0x26f5,
    0x26fa, 0x26fd, 0x2705, 0x270a...0x270b, 0x2728, 0x274c, 0x274e, 0x2753...0x2757,
    0x2795...0x2797, 0x27b0, 0x27bf, 0x2b1b...0x2b1c, 0x2b50, 0x2b55, 0x2e80...0x303e,
    0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe10...0xfe19,
    0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x16fe0...0x18dff, 0x1aff0...0x1b2ff,
    0x1d300...0x1d376, 0x1f004...0x1f0cf, 0x1f18e...0x1f265, 0x1f300...0x1faff,
    0x20000...0x3fffd:
    true
  default: false
  }
}

/// The character that starts at `index`, by strict UTF-8: no surrogates, no longer form than
/// needed. nil where there is none.
private func scalar(in bytes: [UInt8], at index: Int) -> (Unicode.Scalar, Int)? {
  let first = UInt32(bytes[index])
  let length: Int
  var value: UInt32
  switch first {
  case 0..<0x80: return (Unicode.Scalar(UInt8(first)), 1)
  case 0xc2...0xdf: (length, value) = (2, first & 0x1f)
  case 0xe0...0xef: (length, value) = (3, first & 0x0f)
  case 0xf0...0xf4: (length, value) = (4, first & 0x07)
  default: return nil
  }
  guard index + length <= bytes.count else { return nil }
  for byte in bytes[(index + 1)..<(index + length)] {
    guard byte & 0xc0 == 0x80 else { return nil }
    value = value << 6 | UInt32(byte & 0x3f)
  }
  guard value >= (length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000),
    let scalar = Unicode.Scalar(value)
  else { return nil }
  return (scalar, length)
}

private func hexadecimal(_ value: UInt32, digits: Int) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
