/// A list that answers for every place: outside of it with a value that means nothing. The rules look
/// around in source that may end or break anywhere, and must never trap on it.
struct Total<Element>: RandomAccessCollection {
  private let elements: [Element]
  private let none: Element

  init(_ elements: [Element], none: Element) {
    self.elements = elements
    self.none = none
  }

  var startIndex: Int { 0 }
  var endIndex: Int { elements.count }

  subscript(index: Int) -> Element {
    index >= 0 && index < elements.count ? elements[index] : none
  }
}
