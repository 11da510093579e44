/// - Throws: where the text could do anything to a terminal but print: a control, a character that
///   moves, hides or covers others, or one that means nothing.
func requireDisplayable(_ text: String, _ what: String) throws {
  for scalar in text.unicodeScalars where scalar != "\n" {
    try require(isDisplayable(scalar), "\(what) shows U+\(String(scalar.value, radix: 16))")
  }
}

private func isDisplayable(_ scalar: Unicode.Scalar) -> Bool {
  let properties = scalar.properties
  guard !properties.isDefaultIgnorableCodePoint, !properties.isBidiControl else { return false }
  switch properties.generalCategory {
  case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
    .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
    return false
  default:
    // Hebrew and Arabic with their extensions, and the older scripts beyond the first plane.
    return ![0x590...0x8ff, 0xfb1d...0xfdff, 0xfe70...0xfeff, 0x10800...0x10fff, 0x1e800...0x1efff]
      .contains { $0.contains(scalar.value) }
  }
}

/// What ``displayText(_:)`` was made from, up to where it was cut; nil for what it never makes.
func parsedDisplayText(_ text: String) -> (bytes: [UInt8], isCut: Bool)? {
  var scalars = Substring(text).unicodeScalars
  guard scalars.popFirst() == "\"", scalars.popLast() == "\"" else { return nil }
  var bytes: [UInt8] = []
  var isCut = false
  while let scalar = scalars.popFirst() {
    guard !isCut else { return nil }
    switch scalar {
    case "\"": return nil
    case "…" where scalars.isEmpty: isCut = true
    case "\\":
      switch scalars.popFirst() {
      case "\\": bytes.append(UInt8(ascii: "\\"))
      case "\"": bytes.append(UInt8(ascii: "\""))
      case "x":
        let digits = String(String.UnicodeScalarView(scalars.prefix(2)))
        guard let byte = UInt8(digits, radix: 16) else { return nil }
        scalars.removeFirst(2)
        bytes.append(byte)
      case "u":
        guard scalars.popFirst() == "{", let end = scalars.firstIndex(of: "}"),
          let value = UInt32(String(scalars[..<end]), radix: 16), let read = Unicode.Scalar(value)
        else { return nil }
        scalars = scalars[scalars.index(after: end)...]
        bytes += Array(String(read).utf8)
      default: return nil
      }
    default: bytes += Array(String(scalar).utf8)
    }
  }
  return (bytes, isCut)
}
