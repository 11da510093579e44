extension SwiftFile {
  /// What a name means at a place: the declaration of the innermost scope, and of those the last
  /// before the place.
  func binding(_ name: String, at index: Int) -> Binding? {
    guard let candidates = bindings[name] else { return nil }
    var best: Binding?
    for candidate in candidates where candidate.scope.contains(index) && candidate.index != index {
      guard let present = best else {
        best = candidate
        continue
      }
      if candidate.index < index || present.index > index,
        candidate.scope.lowerBound >= present.scope.lowerBound
      {
        best = candidate
      }
    }
    return best
  }

  /// The names of a chain up to a token: `UserDefaults`, `standard`, `set`.
  func chainNames(_ call: Call) -> [String] {
    var names: [String] = []
    var place = call.chain
    while place <= call.index {
      if isWord(place) { names.append(texts[place]) }
      place = isOpen(place) ? max(partner[place], place) + 1 : place + 1
    }
    return names
  }

  /// The type a name stands for as far as the file says: what is written, or what its value begins with.
  func typeName(_ name: String, at index: Int) -> String? {
    guard let binding = binding(name, at: index) else { return nil }
    if let type = binding.type.first(where: { isWord($0) && !["any", "some"].contains(texts[$0]) })
    {
      return texts[type]
    }
    return binding.value.first { isWord($0) && !["try", "await"].contains(texts[$0]) }.map {
      texts[$0]
    }
  }
}
