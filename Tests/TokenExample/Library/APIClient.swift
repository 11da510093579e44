import Foundation
import TokenStorage

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A client of one server. It depends on who provides a token, and nothing else reads it: features ask
/// for what they want.
public struct APIClient: Sendable {
  public enum Failure: Error, Equatable {
    /// There is no session, or the server ended it.
    case signedOut
    case status(Int)
  }

  private let server: URL
  private let tokens: any AuthTokenProviding

  public init(server: URL, tokens: any AuthTokenProviding) {
    self.server = server
    self.tokens = tokens
  }

  /// What the server has at a path, for the person who is signed in.
  public func get(_ path: String) async throws -> String {
    guard let token = await tokens.currentToken() else { throw Failure.signedOut }
    do { return try await request(path, token) } catch Failure.status(401) {
      guard let next = await tokens.refreshedToken(replacing: token) else {
        throw Failure.signedOut
      }
      return try await request(path, next)
    }
  }

  private func request(_ path: String, _ token: String) async throws -> String {
    var request = URLRequest(url: server.appendingPathComponent(path))
    request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
    return String(decoding: try await AuthServer.send(request), as: UTF8.self)
  }
}
