import Testing
import Wire

@Suite struct WorkerProtocolTests {
  /// The payload of a frame that must be exactly as long as its header says.
  private func payload(_ bytes: [UInt8]) throws -> [UInt8] {
    var inbox = WorkerInbox()
    inbox.append(bytes)
    let message = try #require(try inbox.next())
    #expect(!inbox.isPartial)
    return message
  }

  @Test(arguments: try Vector.load("requests.txt"))
  func `a request decodes as its vector says`(_ vector: Vector) throws {
    let payload = try payload(vector.bytes)
    if let error = vector.error {
      #expect(throws: error) { try WorkerRequest(decoding: payload) }
    } else {
      #expect(try WorkerRequest(decoding: payload).encoded() == vector.bytes)
    }
  }

  @Test(arguments: try Vector.load("replies.txt"))
  func `a reply decodes as its vector says`(_ vector: Vector) throws {
    let payload = try payload(vector.bytes)
    if let error = vector.error {
      #expect(throws: error) { try WorkerReply(decoding: payload) }
    } else {
      #expect(try WorkerReply(decoding: payload).encoded() == vector.bytes)
    }
  }

  @Test func `requests and vectors name the same values`() throws {
    let vectors = try Vector.load("requests.txt")
    func bytes(_ name: String) -> [UInt8]? { vectors.first { $0.name == name }?.bytes }
    #expect(
      bytes("authenticate-passcode")
        == WorkerRequest.authenticate(
          .init(
            service: .passcode, user: "user1", uid: 1000, remoteHost: "203.0.113.5",
            terminal: "pts/3")
        ).encoded())
    #expect(
      bytes("authenticate-biometry-directory")
        == WorkerRequest.authenticate(
          .init(service: .biometry, directory: "/tmp/whorl-pam", user: "root", uid: 0)
        ).encoded())
    #expect(bytes("name") == WorkerRequest.name(uid: 1000).encoded())
    #expect(bytes("shadow") == WorkerRequest.shadow(name: "user1").encoded())
  }

  @Test func `any bytes that decode encode to the same bytes`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let count = Int.random(in: 1...24, using: &random)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...8, using: &random) }
      bytes[0] = UInt8.random(in: 0...9, using: &random)
      if let request = try? WorkerRequest(decoding: bytes) {
        #expect(Array(request.encoded().dropFirst(4)) == bytes)
      }
      if let reply = try? WorkerReply(decoding: bytes) {
        #expect(Array(reply.encoded().dropFirst(4)) == bytes)
      }
      if let reply = try? PrintReaderReply(decoding: bytes) {
        #expect(Array(reply.encoded().dropFirst(4)) == bytes)
      }
    }
  }

  @Test func `a message over the limit or without bytes is refused by its header`() {
    #expect(throws: DecodingError.tooLarge) { try WorkerFrame.count(header: [0, 1, 0, 1]) }
    #expect(throws: DecodingError.invalid) { try WorkerFrame.count(header: [0, 0, 0, 0]) }
  }

  @Test func `messages come whole however their bytes arrive`() throws {
    let messages = [WorkerReply.info("one"), .passcodeWanted, .verdict(.success, .finished)]
    var inbox = WorkerInbox()
    var got: [WorkerReply] = []
    for byte in messages.flatMap({ $0.encoded() }) {
      inbox.append([byte])
      while let payload = try inbox.next() { got.append(try WorkerReply(decoding: payload)) }
    }
    #expect(got == messages)
  }

  @Test func `a text for people is cut to its limit`() throws {
    let encoded = WorkerReply.info(String(repeating: "é", count: 5000)).encoded()
    let reply = try WorkerReply(decoding: Array(encoded.dropFirst(4)))
    #expect(reply == .info(String(repeating: "é", count: WorkerReply.textLimit / 2)))
  }

  @Test func `a print's facts survive the wire`() throws {
    let facts = PrintFacts(
      finger: 7, driver: "virtual_device_storage", device: "0",
      enrolled: .init(year: 2026, month: 11, day: 30), isDeviceStored: true, user: "user1")
    for reply in [PrintReaderReply.print(facts), .notAPrint] {
      #expect(try PrintReaderReply(decoding: Array(reply.encoded().dropFirst(4))) == reply)
    }
  }
}
