import SecretMemory
import Testing

struct SecretBytesTests {
  @Test(arguments: [0, 1, 63, 64, 65, 4096, 1024 * 1024])
  func `a new secret is all zeros`(_ count: Int) throws {
    let secret = try SecretBytes(count: count)
    #expect(secret.count == count)
    let isZero = secret.withBytes { bytes in
      bytes.count == count && bytes.indices.allSatisfy { bytes[$0] == 0 }
    }
    #expect(isZero)
  }

  @Test func `a copy holds the bytes, and changing it leaves the original`() throws {
    let original: [UInt8] = [1, 2, 3]
    let secret = try SecretBytes(copying: original.span)
    secret.withMutableBytes { $0[0] = 9 }
    #expect(original == [1, 2, 3])
    let bytes = secret.withBytes { span in span.indices.map { span[$0] } }
    #expect(bytes == [9, 2, 3])
  }

  @Test func `errors pass through`() throws {
    struct Failure: Error {}
    let secret = try SecretBytes(count: 1)
    #expect(throws: Failure.self) { try secret.withBytes { _ throws(Failure) in throw Failure() } }
  }

  @Test func `a secret says nothing of its bytes`() throws {
    let secret = try SecretBytes(copying: ([0x53, 0x45, 0x43] as [UInt8]).span)
    for text in ["\(secret)", String(describing: secret), String(reflecting: secret)] {
      #expect(text == "SecretMemory.SecretBytes")
    }
    var dumped = ""
    dump(secret, to: &dumped)
    for trace in ["83", "69, 67", "SEC", "[83"] { #expect(!dumped.contains("\(trace),")) }
  }
}
