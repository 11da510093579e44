import Foundation
import TokenStorage

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The server's way to tokens: by name and password, and by a refresh token.
public struct AuthServer: Sendable {
  private let server: URL

  public init(_ server: URL) {
    self.server = server
  }

  public func logIn(_ name: String, _ password: String) async throws -> AuthTokens {
    try await tokens("login", ["name": name, "password": password])
  }

  /// - Throws: `AuthRefreshError.rejected` when the server accepts the refresh token no more.
  public func refresh(_ token: String) async throws -> AuthTokens {
    do { return try await tokens("refresh", ["refresh": token]) } catch APIClient.Failure.status(
      401)
    {
      throw AuthRefreshError.rejected
    }
  }

  private func tokens(_ path: String, _ body: [String: String]) async throws -> AuthTokens {
    var request = URLRequest(url: server.appendingPathComponent(path))
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(body)
    return try JSONDecoder().decode(AuthTokens.self, from: try await Self.send(request))
  }

  static func send(_ request: URLRequest) async throws -> Data {
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard status == 200 else { throw APIClient.Failure.status(status) }
    return data
  }
}
