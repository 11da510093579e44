import Foundation
import Testing
import TokenExample
import TokenStorage

extension TokenStorageTests {
  /// The example: a client that depends on who provides a token, against a server of this machine's.
  @Suite struct APIClientTests {
    private func session(_ server: APIServer, _ store: any SecureStore) -> TokenStore {
      let auth = AuthServer(server.url)
      return TokenStore(store) { try await auth.refresh($0) }
    }

    @Test func `login, a token on every request, 401, refresh and logout`() async throws {
      let server = try APIServer()
      let keychain = try makeKeychain()
      let store = CountingSecureStore(KeychainStore(service: "example"))
      let session = session(server, store)
      let client = APIClient(server: server.url, tokens: session)
      await #expect(throws: APIClient.Failure.signedOut) { _ = try await client.get("me") }
      await #expect(throws: APIClient.Failure.status(401)) {
        _ = try await AuthServer(server.url).logIn("alice", "wrong")
      }
      await session.signIn(try await AuthServer(server.url).logIn("alice", "wonderland"))
      for _ in 0..<2 { #expect(try await client.get("me") == "hello alice") }
      try server.tell("expire")
      #expect(try await client.get("me") == "hello alice")
      #expect(
        try server.requests() == [
          "/login -", "/login -", "/me Bearer access1", "/me Bearer access1", "/me Bearer access1",
          "/refresh -", "/me Bearer access2",
        ])
      #expect(store.reads == 1)
      await session.signOut()
      try await session.flush()
      await #expect(throws: APIClient.Failure.signedOut) { _ = try await client.get("me") }
      #expect(try keychain.keychain.list().isEmpty)
    }

    @Test func `many requests that are refused at once refresh once`() async throws {
      let server = try APIServer()
      let session = session(server, InMemorySecureStore())
      let client = APIClient(server: server.url, tokens: session)
      await session.signIn(try await AuthServer(server.url).logIn("alice", "wonderland"))
      try server.tell("expire")
      await withTaskGroup(of: String?.self) { group in
        for _ in 0..<8 { group.addTask { try? await client.get("me") } }
        for await text in group { #expect(text == "hello alice") }
      }
      #expect(try server.requests().filter { $0.hasPrefix("/refresh") }.count == 1)
    }

    @Test func `a session that the server ended is signed out`() async throws {
      let server = try APIServer()
      let session = session(server, InMemorySecureStore())
      let client = APIClient(server: server.url, tokens: session)
      await session.signIn(try await AuthServer(server.url).logIn("alice", "wonderland"))
      try server.tell("revoke")
      await #expect(throws: APIClient.Failure.signedOut) { _ = try await client.get("me") }
      #expect(await session.state == .signedOut)
    }

    @Test func `a client is tested by a provider of two lines`() async throws {
      struct Provider: AuthTokenProviding {
        func currentToken() async -> String? { nil }
        func refreshedToken(replacing refused: String) async -> String? { nil }
      }
      let client = APIClient(server: URL(string: "http://127.0.0.1:9")!, tokens: Provider())
      await #expect(throws: APIClient.Failure.signedOut) { _ = try await client.get("me") }
    }
  }
}
