import Crypto
import SecretMemory
import Testing

struct KeyedHashTests {
  init() throws { try Crypto.initialize() }

  @Test(arguments: Vector.load("keyed-hash"))
  func `a hash is that of another implementation`(_ vector: Vector) throws {
    let hash = try KeyedHash.hash(vector["message"], key: vector.secret("key"))
    #expect(try hash == vector["hash"])
  }

  @Test(arguments: Vector.load("keyed-hash"))
  func `a hash does not depend on how the message is cut`(_ vector: Vector) throws {
    let message = try vector["message"]
    for size in [1, 7, 128] {
      var hash = try KeyedHash(key: vector.secret("key"))
      var start = 0
      while start < message.count {
        let end = min(start + size, message.count)
        hash.update(Array(message[start..<end]))
        start = end
      }
      let result = hash.finish()
      #expect(try result == vector["hash"])
    }
  }

  @Test(arguments: Vector.load("key-derivation"))
  func `a derived key is that of another implementation`(_ vector: Vector) throws {
    let label = String(decoding: try vector["label"], as: UTF8.self)
    let key = try vector.secret("key")
    let derived = try KeyDerivation.derive(key: key, label: label, message: vector["message"])
    #expect(try derived.bytes == vector["derived"])
    let fromSecret = try KeyDerivation.derive(
      key: key, label: label, secret: vector.secret("message"))
    #expect(try fromSecret.bytes == vector["derived"])
  }
}
