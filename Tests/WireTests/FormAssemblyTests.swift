import Testing
import Wire

/// Sealed forms are put together of parts that come whole and in order.
@Suite struct FormAssemblyTests {
  private static let full = Limits.formPart

  private static func form(_ count: Int) -> SealedForm {
    SealedForm(
      id: [UInt8](repeating: 1, count: SealedForm.idCount),
      digest: [UInt8](repeating: 2, count: SealedForm.digestCount), count: UInt32(count))
  }

  /// One that ends within a part, one that ends with a part, and one that is less than a part.
  private let forms = [form(2 * full + 10), form(full), form(5)]

  struct Part: Sendable {
    let index: UInt32
    let count: Int

    init(_ index: UInt32, _ count: Int) {
      self.index = index
      self.count = count
    }
  }

  /// What a right client sends.
  private static let right = [
    Part(0, full), Part(0, full), Part(0, 10), Part(1, full), Part(2, 5),
  ]

  @Test func `parts as a client cuts them give the forms`() {
    let bytes = forms.map { form in (0..<Int(form.count)).map { UInt8(truncatingIfNeeded: $0) } }
    let parts = bytes.enumerated().flatMap { FormPart.parts(of: $1, index: UInt32($0)) }
    #expect(parts.map { $0.bytes.count } == Self.right.map(\.count))
    var assembly = FormAssembly(forms)
    for part in parts {
      #expect(assembly.whole == nil)
      let isTaken = assembly.take(part)
      #expect(isTaken)
    }
    #expect(assembly.whole == bytes)
    for surplus in [FormPart(index: 2, bytes: []), FormPart(index: 3, bytes: [1])] {
      let isTaken = assembly.take(surplus)
      #expect(!isTaken)
    }
    #expect(assembly.whole == bytes)
  }

  @Test(arguments: [
    ("short", 0, Part(0, full - 1)), ("short, in the middle", 1, Part(0, full - 1)),
    ("long, at the end", 2, Part(0, 11)), ("long, a whole part", 2, Part(0, full)),
    ("long, the last", 4, Part(2, 6)), ("short, the last", 4, Part(2, 4)),
    ("empty, the first", 0, Part(0, 0)), ("empty, between two forms", 3, Part(1, 0)),
    ("empty, the last", 4, Part(2, 0)), ("repeated, of a form that is whole", 3, Part(0, 10)),
    ("repeated, a whole part", 4, Part(1, full)), ("of the next form, too early", 1, Part(1, full)),
    ("of the next form, first of all", 0, Part(1, full)), ("of a later form", 3, Part(2, 5)),
    ("of no form", 0, Part(3, full)), ("of a form far away", 0, Part(.max, full)),
  ])
  func `a part that is not the next one is refused, and nothing of it kept`(
    name: String, after: Int, wrong: Part
  ) {
    var assembly = FormAssembly(forms)
    func take(_ part: Part, _ byte: UInt8) -> Bool {
      assembly.take(
        FormPart(index: part.index, bytes: [UInt8](repeating: byte, count: part.count)))
    }
    var taken: [Bool] = []
    for part in Self.right.prefix(after) { taken.append(take(part, 1)) }
    let isWrongTaken = take(wrong, 2)
    for part in Self.right.dropFirst(after) { taken.append(take(part, 1)) }
    #expect(!isWrongTaken)
    #expect(taken.allSatisfy { $0 })
    #expect(assembly.whole == forms.map { [UInt8](repeating: 1, count: Int($0.count)) })
  }

  @Test func `a part that is larger than a part can be is none`() {
    let largest = ClientMessage.form(
      FormPart(index: 0, bytes: Array(repeating: 1, count: Self.full)))
    #expect(throws: Never.self) { try ClientMessage(largest.encoded) }
    // One byte more, with its length told rightly.
    var bytes = largest.encoded
    let length = bytes.count - Self.full - 4
    var encoder = Encoder()
    encoder.uint32(UInt32(Self.full + 1))
    bytes.replaceSubrange(length..<length + 4, with: encoder.bytes)
    bytes.append(1)
    #expect(throws: DecodingError.self) { try ClientMessage(bytes) }
  }
}
