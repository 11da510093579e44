import Foundation
import Testing
import TokenStorage

extension TokenStorageTests {
  /// Many at once, at random; run under ThreadSanitizer, too.
  @Suite struct TokenRaceTests {
    /// What follows is the same for the same seed, as far as the scheduler lets it.
    private struct Random: RandomNumberGenerator {
      var state: UInt64

      mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
      }
    }

    @Test(arguments: 0..<20)
    func `32 tasks that read, refresh, fail and sign out never see a token after the end`(
      seed: UInt64
    ) async throws {
      let failing = FailingSecureStore([], over: InMemorySecureStore.signedIn(refresh: "refresh"))
      let store = CountingSecureStore(failing)
      let number = Locked(0)
      let session = TokenStore(store) { _ in
        await Task.yield()
        let next = number.withLock { number in
          number += 1
          return number
        }
        if next % 3 == 0 { throw CancellationError() }
        return AuthTokens(access: "token \(next)", refresh: "refresh \(next)")
      }
      let isOver = Locked(false)
      await withTaskGroup(of: Void.self) { group in
        for task in 0..<32 {
          group.addTask {
            var random = Random(state: seed &* 1000 &+ UInt64(task))
            for turn in 0..<50 {
              let wasOver = isOver.withLock { $0 }
              var token: String?
              switch Int.random(in: 0..<8, using: &random) {
              case 0:
                failing.failing = [.writes, .removals]
              case 1:
                failing.failing = []
              case 2, 3:
                token = await session.refreshedToken(
                  replacing: await session.currentToken() ?? "token")
              case 4:
                await Task.yield()
              default:
                token = await session.currentToken()
              }
              if wasOver { #expect(token == nil) }
              if task == 7, turn == 25 {
                await session.signOut()
                isOver.withLock { $0 = true }
              }
            }
          }
        }
      }
      #expect(await session.state == .signedOut)
      #expect(store.reads == 1)
      failing.failing = []
      try? await session.flush()
      try await session.flush()
      #expect(try store.keys() == [])
    }
  }
}
