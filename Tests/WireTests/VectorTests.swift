import AccessControl
import Testing
import Wire

@Suite struct VectorTests {
  @Test func `every message a client can send is the bytes on disk, both ways`() throws {
    try VectorFile.update(
      "client.txt", Samples.client.map { ($0.0, $0.1.encoded) },
      about: "Messages of a client, type byte first, without the frame's length.")
    let vectors = try VectorFile("client.txt").vectors
    #expect(vectors.map(\.name) == Samples.client.map(\.0))
    for (vector, sample) in zip(vectors, Samples.client) {
      #expect(sample.1.encoded == vector.bytes, "\(vector.name)")
      #expect(try ClientMessage(vector.bytes) == sample.1, "\(vector.name)")
    }
  }

  @Test func `every message the daemon can send is the bytes on disk, both ways`() throws {
    try VectorFile.update(
      "server.txt", Samples.server.map { ($0.0, $0.1.encoded) },
      about: "Messages of the daemon, type byte first, without the frame's length.")
    let vectors = try VectorFile("server.txt").vectors
    #expect(vectors.map(\.name) == Samples.server.map(\.0))
    for (vector, sample) in zip(vectors, Samples.server) {
      #expect(sample.1.encoded == vector.bytes, "\(vector.name)")
      #expect(try ServerMessage(vector.bytes) == sample.1, "\(vector.name)")
    }
  }

  @Test func `an identity has the bytes on disk`() throws {
    let samples = [
      ("generic", Samples.identity), ("internet", Samples.internet), ("key", Samples.key),
    ]
    try VectorFile.update(
      "identity.txt", samples.map { ($0.0, $0.1.encoded) },
      about: "Item identities, as they stand in the store and in associated data.")
    let vectors = try VectorFile("identity.txt").vectors
    #expect(vectors.map(\.name) == samples.map(\.0))
    for (vector, sample) in zip(vectors, samples) {
      #expect(sample.1.encoded == vector.bytes)
      var decoder = Decoder(vector.bytes)
      #expect(try ItemIdentity(from: &decoder) == sample.1)
      try decoder.finish()
    }
  }

  @Test func `an access control has the bytes on disk`() throws {
    let texts = [
      "none", "userPresence", "biometryAny", "biometryCurrentSet", "devicePasscode",
      "biometryCurrentSet | devicePasscode", "biometryAny & devicePasscode",
      "none + applicationPassword", "userPresence + applicationPassword + privateKeyUsage",
    ]
    let samples = texts.map { (text: String) -> (String, AccessControl) in
      let name = String(text.map { $0.isLetter ? $0 : "-" })
      return (name, Samples.control(text, .afterFirstUnlock, 300))
    }
    try VectorFile.update(
      "access-control.txt", samples.map { ($0.0, $0.1.binary) },
      about: "Binary forms of access controls, class afterFirstUnlock, reuse 300.")
    let vectors = try VectorFile("access-control.txt").vectors
    #expect(vectors.map(\.name) == samples.map(\.0))
    for (vector, sample) in zip(vectors, samples) {
      #expect(sample.1.binary == vector.bytes)
      #expect(try AccessControl(binary: vector.bytes) == sample.1)
    }
  }

  @Test func `a file without vectors is an error`() {
    #expect(throws: (any Error).self) { try VectorFile("there-is-none.txt") }
  }
}
