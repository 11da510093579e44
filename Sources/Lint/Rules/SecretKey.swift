/// Tells whether the name under which something is kept is that of a secret: a literal, a constant,
/// or a case of an enumeration.
struct SecretKey {
  private let file: SwiftFile

  init(_ file: SwiftFile) { self.file = file }

  func isSecret(_ range: Range<Int>) -> Bool { secret(in: range) != nil }

  /// - Returns: the token that names it.
  func secret(in range: Range<Int>) -> Int? {
    var last: Int?
    var passed: Int?
    var place = range.lowerBound
    while place < range.upperBound {
      switch file.tokens[place].kind {
      case .stringOpen:
        if SecretName.isSecretKey(file.literal(place)) { return place }
        last = place
      case .word where Self.passing.contains(file.texts[place]): passed = place
      case .word where file.texts[place] != "self" && file.texts[place] != "Self": last = place
      default: break
      }
      // What a call is given names its result: `key(for: .token)`, `String(kToken)`.
      let isCall = file.texts[place] == "(" || file.texts[place] == "["
      if isCall, file.isOpen(place), place + 1 < file.partner[place] {
        for element in file.elements(place + 1..<file.partner[place]) {
          if let found = secret(in: element) { return found }
        }
      }
      place = file.isOpen(place) ? file.partner[place] + 1 : place + 1
    }
    guard let last = last ?? passed, file.isWord(last) else { return nil }
    let name = file.texts[last]
    if SecretName.isSecretKey(name) { return last }
    if let literal = file.constants[name], SecretName.isSecretKey(literal) { return last }
    return nil
  }

  private static let passing: Set = [
    "rawValue", "description", "self", "stringValue", "as", "String", "key", "name",
  ]
}
