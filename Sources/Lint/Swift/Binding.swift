/// A name with its type and value: a property, a local, what a loop or pattern binds, a parameter.
struct Binding {
  enum Kind {
    case property, pattern, loop, parameter
  }

  let name: String
  let index: Int
  let kind: Kind
  /// Empty where none is written.
  var type = 0..<0
  /// What is assigned, or the body of a computed property.
  var value = 0..<0
  var isComputed = false
  /// The tokens from the first attribute or modifier to the name.
  var header = 0..<0
  /// Where it can be seen.
  let scope: Range<Int>
}

/// A function, method or initializer.
struct Function {
  struct Parameter {
    /// Empty for `_`.
    let label: String
    let name: String
    let type: Range<Int>
  }

  let name: String
  let index: Int
  let header: Int
  let parameters: [Parameter]
  let returnsValue: Bool
  /// Empty in a protocol.
  let body: Range<Int>
  /// The type it is a member of; empty for a free one.
  let owner: String
}
