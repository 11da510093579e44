/// A function that passes a parameter on to where no secret may go, so that its calls are judged as
/// that place is.
struct DerivedSink: Sendable, Hashable {
  let rule: Rule
  let function: String
  /// The type it is a member of; empty for a free function.
  let owner: String
  /// The position of the parameter that is kept or shown.
  let value: Int
  /// That of the name it is kept under.
  let key: Int?
}
