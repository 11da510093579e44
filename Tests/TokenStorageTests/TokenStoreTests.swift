import Foundation
import Security
import Testing
import TokenStorage

extension TokenStorageTests {
  @Suite struct TokenStoreTests {
    private let old = AuthTokens(access: "tok-old", refresh: "ref-old")
    private let new = AuthTokens(access: "tok-new", refresh: "ref-new")

    @Test func `the store is read once, and its absence is remembered`() async {
      for (store, token) in [
        (CountingSecureStore(), nil),
        (CountingSecureStore(InMemorySecureStore.signedIn(access: "t")), "t"),
      ] as [(CountingSecureStore, String?)] {
        let session = TokenStore(store)
        #expect(store.reads == 0)
        for _ in 0..<3 { #expect(await session.currentToken() == token) }
        await session.load()
        #expect(store.reads == 1)
      }
    }

    @Test func `many at launch share one read`() async {
      let store = CountingSecureStore(InMemorySecureStore.signedIn(access: "t"))
      let session = TokenStore(store)
      await withTaskGroup(of: String?.self) { group in
        for _ in 0..<32 { group.addTask { await session.currentToken() } }
        for await token in group { #expect(token == "t") }
      }
      #expect(store.reads == 1)
    }

    @Test func `the state at launch is unknown, then signed in or signed out`() async {
      let session = TokenStore(InMemorySecureStore.signedIn())
      #expect(await session.state == .unknown)
      #expect(await session.load() == .signedIn)
      #expect(await TokenStore(InMemorySecureStore()).load() == .signedOut)
      await session.signOut()
      #expect(await session.state == .signedOut)
    }

    @Test func `a read failure is no session, tells why, and is tried again by load alone`() async {
      let failing = FailingSecureStore(.reads, over: InMemorySecureStore.signedIn(access: "t"))
      let store = CountingSecureStore(failing)
      let session = TokenStore(store)
      #expect(await session.currentToken() == nil)
      #expect(await session.currentToken() == nil)
      #expect(store.reads == 1)
      #expect(await session.state == .signedOut)
      #expect(
        await session.problem as? KeychainError == .read(errSecInteractionNotAllowed))
      failing.failing = []
      #expect(await session.load() == .signedIn)
      #expect(await session.currentToken() == "t")
      #expect(await session.problem == nil)
      #expect(store.reads == 2)
    }

    @Test func `what is no session is an unreadable one`() async {
      let session = TokenStore(InMemorySecureStore(["session": Data("nonsense".utf8)]))
      #expect(await session.load() == .signedOut)
      #expect(await session.problem as? KeychainError == .unreadableData)
    }

    @Test func `a session is written as a pair, and found by another process`() async throws {
      let store = InMemorySecureStore()
      let session = TokenStore(store)
      await session.signIn(old)
      #expect(await session.currentToken() == "tok-old")
      try await session.flush()
      #expect(store.keys().count == 1)
      let asked = Locked<String?>(nil)
      let other = TokenStore(store) { token in
        asked.withLock { $0 = token }
        return AuthTokens(access: "next")
      }
      #expect(await other.currentToken() == "tok-old")
      #expect(await other.refreshedToken(replacing: "tok-old") == "next")
      #expect(asked.withLock { $0 } == "ref-old")
    }

    @Test func `a failed write keeps the token in memory and logs no token`() async throws {
      let lines = Locked<[String]>([])
      let log = AppLog(category: "test") { fields in
        lines.withLock { $0.append(fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")) }
      }
      let failing = FailingSecureStore(.writes, status: errSecDiskFull)
      let session = TokenStore(failing, log: log)
      await session.signIn(new)
      await #expect(throws: KeychainError.save(errSecDiskFull)) { try await session.flush() }
      #expect(await session.currentToken() == "tok-new")
      #expect(await session.problem as? KeychainError == .save(errSecDiskFull))
      let text = lines.withLock { $0.joined(separator: "\n") }
      #expect(text.contains("writing the session failed") && text.contains("disk is full"))
      #expect(!text.contains("tok-new") && !text.contains("ref-new"))
      // And is written once it can be.
      failing.failing = []
      try await session.flush()
      #expect(await TokenStore(failing).currentToken() == "tok-new")
    }

    @Test func `signing out clears both, also when the store fails at first`() async throws {
      let failing = FailingSecureStore(.removals, over: InMemorySecureStore.signedIn(access: "t"))
      let session = TokenStore(failing)
      #expect(await session.currentToken() == "t")
      await session.signOut()
      #expect(await session.currentToken() == nil)
      await #expect(throws: KeychainError.delete(errSecInteractionNotAllowed)) {
        try await session.flush()
      }
      #expect(await session.currentToken() == nil)
      failing.failing = []
      try await session.flush()
      #expect(try failing.keys() == [])
    }

    @Test func `a refresh keeps the refresh token where the server gives no other`() async throws {
      let seen = Locked<[String]>([])
      let session = TokenStore(InMemorySecureStore()) { token in
        seen.withLock { $0.append(token) }
        return AuthTokens(access: "next\(seen.withLock { $0.count })")
      }
      await session.signIn(old)
      #expect(await session.refreshedToken(replacing: "tok-old") == "next1")
      #expect(await session.refreshedToken(replacing: "next1") == "next2")
      #expect(seen.withLock { $0 } == ["ref-old", "ref-old"])
    }

    @Test func `requests that were refused at once share one refresh`() async {
      let count = Locked(0)
      let session = TokenStore(InMemorySecureStore()) { _ in
        count.withLock { $0 += 1 }
        try await Task.sleep(for: .milliseconds(20))
        return AuthTokens(access: "next")
      }
      await session.signIn(old)
      await withTaskGroup(of: String?.self) { group in
        for _ in 0..<32 { group.addTask { await session.refreshedToken(replacing: "tok-old") } }
        for await token in group { #expect(token == "next") }
      }
      #expect(count.withLock { $0 } == 1)
    }

    @Test func `a request of an earlier session gets no token of the next`() async {
      let session = TokenStore(InMemorySecureStore()) { _ in AuthTokens(access: "next") }
      await session.signIn(old)
      #expect(await session.refreshedToken(replacing: "tok-old") == "next")
      #expect(await session.refreshedToken(replacing: "tok-old") == "next")
      await session.signIn(AuthTokens(access: "of somebody else"))
      for token in ["tok-old", "next", "never"] {
        #expect(await session.refreshedToken(replacing: token) == nil)
      }
    }

    @Test func `a refused refresh token ends the session, another failure does not`() async {
      let rejects = Locked(false)
      let session = TokenStore(InMemorySecureStore()) { _ in
        if rejects.withLock({ $0 }) { throw AuthRefreshError.rejected }
        throw CancellationError()
      }
      await session.signIn(old)
      #expect(await session.refreshedToken(replacing: "tok-old") == nil)
      #expect(await session.state == .signedIn)
      #expect(await session.problem is CancellationError)
      rejects.withLock { $0 = true }
      #expect(await session.refreshedToken(replacing: "tok-old") == nil)
      #expect(await session.state == .signedOut)
      #expect(await session.problem as? AuthRefreshError == .rejected)
    }

    @Test func `without a refresh token there is no other token`() async {
      let session = TokenStore(InMemorySecureStore()) { _ in AuthTokens(access: "x") }
      #expect(await session.refreshedToken(replacing: "a") == nil)
      await session.signIn(AuthTokens(access: "a"))
      #expect(await session.refreshedToken(replacing: "a") == nil)
      #expect(await session.state == .signedIn)
    }

    @Test func `signing out while a refresh is under way ends signed out`() async throws {
      let store = InMemorySecureStore()
      let (started, begin) = AsyncStream<Void>.makeStream()
      let (release, go) = AsyncStream<Void>.makeStream()
      let session = TokenStore(store) { _ in
        begin.yield()
        // Not by the task's own cancellation: a server answers all the same.
        await Task.detached { for await _ in release { break } }.value
        return AuthTokens(access: "late", refresh: "late")
      }
      await session.signIn(old)
      let refreshed = Task { await session.refreshedToken(replacing: "tok-old") }
      for await _ in started { break }
      await session.signOut()
      go.yield()
      #expect(await refreshed.value == nil)
      try await session.flush()
      #expect(await session.currentToken() == nil)
      #expect(await session.state == .signedOut)
      #expect(store.keys() == [])
    }

    @Test func `a sign-in during the first read wins over what is read`() async {
      let store = HungStore(InMemorySecureStore.signedIn(access: "stored"))
      let session = TokenStore(store)
      let read = Task { await session.currentToken() }
      await store.waitUntilHung()
      await session.signIn(new)
      store.release()
      _ = await read.value
      #expect(await session.currentToken() == "tok-new")
    }

    @Test func `a store that hangs is signed out within the limit, and stays so`() async {
      let store = HungStore(InMemorySecureStore.signedIn(access: "stored"))
      let session = TokenStore(store, limit: .milliseconds(100))
      let start = ContinuousClock.now
      #expect(await session.load() == .signedOut)
      #expect(ContinuousClock.now - start < .seconds(3))
      #expect(await session.problem as? TokenStoreError == .timedOut)
      store.release()
      #expect(await session.currentToken() == nil)
      #expect(await session.load() == .signedIn)
    }

    @Test func `a removal comes after a save that hung before it`() async throws {
      let inner = InMemorySecureStore()
      let store = HungStore(inner, hangsOn: .save)
      let session = TokenStore(store, limit: .milliseconds(50))
      await session.signIn(new)
      await store.waitUntilHung()
      await session.signOut()
      store.release()
      // The first may have been given up; what counts is the order.
      try? await session.flush()
      try await session.flush()
      #expect(inner.keys() == [])
    }

    @Test func `tokens describe themselves without the tokens`() {
      var dumped = ""
      dump(new, to: &dumped)
      for text in [dumped, "\(new)", String(reflecting: new), "\([new])"] {
        #expect(!text.contains("tok-new") && !text.contains("ref-new"), "\(text)")
      }
    }
  }
}

/// A store whose first read or save ends when the test says.
final class HungStore: SecureStore {
  enum Call { case read, save }

  private let store: any SecureStore
  private let call: Call
  private let semaphore = DispatchSemaphore(value: 0)
  private let isFirst = Locked(true)
  private let hung: AsyncStream<Void>
  private let hang: AsyncStream<Void>.Continuation

  init(_ store: any SecureStore, hangsOn call: Call = .read) {
    self.store = store
    self.call = call
    (hung, hang) = AsyncStream.makeStream()
  }

  func waitUntilHung() async { for await _ in hung { break } }
  func release() { semaphore.signal() }

  private func hang(on call: Call) {
    let isHung = isFirst.withLock { isFirst in
      defer { if call == self.call { isFirst = false } }
      return isFirst && call == self.call
    }
    guard isHung else { return }
    hang.yield()
    _ = semaphore.wait(timeout: .now() + 10)
  }

  func data(for key: String) throws -> Data? {
    hang(on: .read)
    return try store.data(for: key)
  }
  func save(_ data: Data, for key: String) throws {
    hang(on: .save)
    try store.save(data, for: key)
  }
  func insert(_ data: Data, for key: String) throws -> Bool { try store.insert(data, for: key) }
  func remove(_ key: String) throws { try store.remove(key) }
  func removeAll() throws { try store.removeAll() }
  func keys() throws -> [String] { try store.keys() }
}
