import Crypto
import SecretMemory
import Testing

struct AEADTests {
  init() throws { try Crypto.initialize() }

  @Test(arguments: Vector.load("aead"))
  func `a box of another implementation opens`(_ vector: Vector) throws {
    let secret = try AEAD.open(
      vector["box"], key: vector.secret("key"), associatedData: vector["data"])
    #expect(try secret.bytes == vector["secret"])
  }

  @Test(arguments: Vector.load("aead"))
  func `what is sealed opens, and no two boxes are equal`(_ vector: Vector) throws {
    let key = try vector.secret("key")
    let boxes = try (0..<2).map { _ in
      try AEAD.seal(vector.secret("secret"), key: key, associatedData: vector["data"])
    }
    #expect(boxes[0] != boxes[1])
    for box in boxes {
      #expect(box.count == (try vector["secret"].count) + AEAD.overhead)
      let opened = try AEAD.open(box, key: key, associatedData: vector["data"])
      #expect(try opened.bytes == vector["secret"])
    }
  }

  @Test(arguments: Vector.load("aead").prefix(3))
  func `a box with any one bit changed is forged`(_ vector: Vector) throws {
    let key = try vector.secret("key")
    let box = try vector["box"]
    for bit in 0..<box.count * 8 {
      var changed = box
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: CryptoError.forged) {
        try AEAD.open(changed, key: key, associatedData: vector["data"])
      }
    }
  }

  @Test(arguments: Vector.load("aead").prefix(3))
  func `a box cut short or made longer is forged`(_ vector: Vector) throws {
    let key = try vector.secret("key")
    let box = try vector["box"]
    for count in 0..<box.count {
      #expect(throws: CryptoError.forged) {
        try AEAD.open(Array(box[..<count]), key: key, associatedData: vector["data"])
      }
    }
    #expect(throws: CryptoError.forged) {
      try AEAD.open(box + [0], key: key, associatedData: vector["data"])
    }
  }

  @Test(arguments: Vector.load("aead"))
  func `another key or other associated data is forged`(_ vector: Vector) throws {
    let key = try vector.secret("key")
    #expect(throws: CryptoError.forged) {
      try AEAD.open(vector["box"], key: Random.secret(32), associatedData: vector["data"])
    }
    #expect(throws: CryptoError.forged) {
      try AEAD.open(vector["box"], key: key, associatedData: vector["data"] + [0])
    }
  }
}
