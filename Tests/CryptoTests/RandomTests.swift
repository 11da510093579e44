import Crypto
import Testing

struct RandomTests {
  @Test func `random bytes have the asked length and differ`() throws {
    try Crypto.initialize()
    #expect(Random.bytes(0).isEmpty)
    #expect(Random.bytes(32).count == 32)
    #expect(Random.bytes(32) != Random.bytes(32))
    #expect(try Random.secret(32).bytes != Random.secret(32).bytes)
  }
}
