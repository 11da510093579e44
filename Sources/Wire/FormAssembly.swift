/// Sealed forms, put together from the parts that a client brings of them: each the next one, and as
/// long as it can be.
public struct FormAssembly: Sendable {
  private let forms: [SealedForm]
  /// Those that were begun, in order; all but the last are whole.
  private var begun: [[UInt8]] = []

  /// - Parameter forms: those that were asked for.
  public init(_ forms: [SealedForm]) {
    self.forms = forms
  }

  /// Whether nothing is missing any more.
  public var isWhole: Bool {
    begun.count == forms.count && begun.last.map(\.count) == forms.last.map { Int($0.count) }
  }

  /// The forms in order, once all of them are here.
  public var whole: [[UInt8]]? { isWhole ? begun : nil }

  /// - Returns: false for a part that does not belong here, of which nothing is kept.
  public mutating func take(_ part: FormPart) -> Bool {
    guard !isWhole else { return false }
    let beginsNext = begun.isEmpty || begun[begun.count - 1].count == forms[begun.count - 1].count
    let index = beginsNext ? begun.count : begun.count - 1
    let missing = Int(forms[index].count) - (beginsNext ? 0 : begun[index].count)
    guard part.index == index, part.bytes.count == min(missing, Limits.formPart) else {
      return false
    }
    if beginsNext {
      var next: [UInt8] = []
      next.reserveCapacity(missing)
      begun.append(next)
    }
    begun[index] += part.bytes
    return true
  }
}
