import Testing
import Wire

/// A generator whose sequence is its seed's, so that a failure can be run again.
struct SeededGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}

@Suite struct MalformedTests {
  @Test func `a message cut anywhere is refused`() {
    for sample in Samples.encoded {
      for count in sample.bytes.indices {
        #expect(throws: DecodingError.self, "\(sample.name) cut at \(count)") {
          try sample.parse(Array(sample.bytes[..<count]))
        }
      }
    }
  }

  @Test func `a byte after the last field is refused`() {
    for sample in Samples.encoded {
      #expect(throws: DecodingError.self, "\(sample.name)") {
        try sample.parse(sample.bytes + [0])
      }
    }
  }

  @Test func `what is parsed is written the same, whatever was changed in it`() {
    var generator = SeededGenerator(state: 20_251_130)
    var parsed = 0
    for sample in Samples.encoded {
      for _ in 0..<300 {
        var bytes = sample.bytes
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !bytes.isEmpty {
          let index = Int.random(in: bytes.indices, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
          case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
          case 2: bytes.remove(at: index)
          default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
          }
        }
        guard let written = try? sample.parse(bytes) else { continue }
        parsed += 1
        #expect(written == bytes, "\(sample.name): \(VectorFile.hexadecimal(bytes))")
      }
    }
    #expect(parsed > 100)
  }

  @Test func `nobody's items can be neither named nor deleted`() {
    for administration in [Administration.purge(user: []), .list(user: [], after: 0)] {
      let request = ClientMessage.request(Request(.administer(administration)))
      #expect(throws: DecodingError.self) { try ClientMessage(request.encoded) }
    }
  }

  @Test func `a forged length or count costs nothing`() {
    for count in [UInt32.max, 0x7fff_ffff, 0x0100_0000] {
      var encoder = Encoder()
      encoder.uint32(count)
      var decoder = Decoder(encoder.bytes)
      #expect(throws: DecodingError.self) { try decoder.string() }
      decoder = Decoder(encoder.bytes)
      #expect(throws: DecodingError.self) {
        try decoder.list(limit: .max) { decoder throws(DecodingError) in try decoder.uint8() }
      }
    }
  }

  @Test(
    arguments: [
      ([0, 0, 0, 0, 1], .invalid), ([0, 1, 0, 1, 1], .tooLarge),
      ([0xff, 0xff, 0xff, 0xff, 1], .tooLarge),
      ([0, 0x10, 0, 2, 0xff], .tooLarge), ([0, 0, 0, 1], .truncated),
    ] as [([UInt8], DecodingError)])
  func `a frame outside its limits is refused by its header`(
    bytes: [UInt8], error: DecodingError
  ) {
    #expect(throws: error) { try FrameHeader(bytes.span) }
  }

  @Test func `the largest frames are taken`() throws {
    #expect(try FrameHeader([0, 1, 0, 0, 1].span).bodyCount == Limits.message - 1)
    #expect(try FrameHeader([0, 0x10, 0, 1, 0xff].span).bodyCount == Limits.secret)
    #expect(
      try FrameHeader(FrameHeader(secretCount: 17).encoded.span) == FrameHeader(secretCount: 17))
  }
}
