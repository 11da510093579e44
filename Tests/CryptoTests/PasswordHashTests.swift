import Crypto
import SecretMemory
import Testing

/// One after the other: each takes 64 MiB.
@Suite(.serialized)
struct PasswordHashTests {
  init() throws { try Crypto.initialize() }

  @Test(arguments: Vector.load("password-hash"))
  func `a password hash is that of another implementation`(_ vector: Vector) throws {
    let derived = try PasswordHash.derive(
      password: vector.secret("password"), salt: vector["salt"])
    #expect(try derived.bytes == vector["derived"])
  }
}
