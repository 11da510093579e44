import Foundation

/// The session: an access and a refresh token, in a secure store and in memory.
///
/// The store is read once; its absence is remembered, too. A read that fails is no session, and
/// ``problem`` says why. What is in memory counts: a token that could not be written serves until the
/// app ends. After ``signOut()`` there is no token, whatever was under way.
public actor TokenStore: AuthTokenProviding {
  /// Gets the next tokens from the server.
  ///
  /// - Throws: `AuthRefreshError.rejected` when the session is over.
  public typealias Refresh = @Sendable (_ refreshToken: String) async throws -> AuthTokens

  /// The key under which the session lies in the store.
  static let key = "session"

  private let store: SerialStore
  private let refresh: Refresh?
  private let log: AppLog
  private var tokens: AuthTokens?
  private var isLoaded = false
  /// The last access tokens that this session had before.
  private var earlier: [String] = []
  /// Grows with each sign-in and sign-out: what began before counts no more.
  private var epoch = 0
  private var loading: Task<Void, Never>?
  private var refreshing: Task<String?, Never>?
  private var lastWrite: Task<(any Error)?, Never>?

  /// Why the store could not be read or written, or the token not be refreshed, last time. nil after a
  /// success.
  public private(set) var problem: (any Error)?

  /// - Parameters:
  ///   - limit: how long a read or a write may be waited for. Longer where a person is asked.
  ///   - refresh: nil where the server gives no refresh tokens.
  public init(
    _ store: any SecureStore, limit: Duration = .seconds(5),
    log: AppLog = AppLog(category: "session"), refresh: Refresh? = nil
  ) {
    self.store = SerialStore(store, limit: limit)
    self.refresh = refresh
    self.log = log
  }

  public var state: LaunchState {
    guard isLoaded else { return .unknown }
    return tokens == nil ? .signedOut : .signedIn
  }

  /// Reads the store, unless that was done, and says what the app shows. After a failure it reads again.
  @discardableResult
  public func load() async -> LaunchState {
    if loading == nil, !isLoaded || (tokens == nil && problem != nil) {
      let began = epoch
      let read = store.run { try $0.data(for: Self.key) }
      loading = Task {
        do { finishLoad(.success(try await read.value), began) } catch {
          finishLoad(.failure(error), began)
        }
      }
    }
    await loading?.value
    return state
  }

  public func currentToken() async -> String? {
    if !isLoaded { await load() }
    return tokens?.access
  }

  /// A new session, in place of the one before. It counts at once; ``flush()`` waits until it is written.
  public func signIn(_ tokens: AuthTokens) {
    begin(tokens)
    write()
  }

  /// Ends the session, in memory at once and in the store. Whether it is gone from the store
  /// ``flush()`` tells: an app that ends before finds it again.
  public func signOut() {
    begin(nil)
    write()
  }

  public func refreshedToken(replacing refused: String) async -> String? {
    if !isLoaded { await load() }
    guard let tokens else { return nil }
    guard tokens.access == refused else {
      // Another request was refused before, and has got the next token. What an earlier session asked
      // for, it gets none of this one's for.
      return earlier.contains(refused) ? tokens.access : nil
    }
    let began = epoch
    let token = await refreshTask(tokens)?.value
    return epoch == began ? token : nil
  }

  /// Waits until what counts is written, and tries once more what could not be.
  ///
  /// - Throws: why it is not.
  public func flush() async throws {
    guard await lastWrite?.value != nil else { return }
    write()
    if let error = await lastWrite?.value { throw error }
  }

  private func begin(_ new: AuthTokens?) {
    epoch += 1
    tokens = new
    earlier = []
    isLoaded = true
    problem = nil
    refreshing?.cancel()
    refreshing = nil
  }

  private func finishLoad(_ result: Result<Data?, any Error>, _ began: Int) {
    loading = nil
    guard epoch == began else { return }
    isLoaded = true
    do {
      let data = try result.get()
      tokens = try data.map { data throws(KeychainError) in
        guard let tokens = try? JSONDecoder().decode(AuthTokens.self, from: data) else {
          throw .unreadableData
        }
        return tokens
      }
      problem = nil
      log.info("session at launch: \(tokens == nil ? "absent" : "present", privacy: .public)")
    } catch {
      note(error, "reading the session")
    }
  }

  /// The refresh that runs, or a new one; nil where there can be none.
  private func refreshTask(_ old: AuthTokens) -> Task<String?, Never>? {
    if let refreshing { return refreshing }
    guard let refresh, let refreshToken = old.refresh else { return nil }
    let began = epoch
    let task = Task {
      do { return finishRefresh(.success(try await refresh(refreshToken)), old, began) } catch {
        return finishRefresh(.failure(error), old, began)
      }
    }
    refreshing = task
    return task
  }

  private func finishRefresh(
    _ result: Result<AuthTokens, any Error>, _ old: AuthTokens, _ began: Int
  ) -> String? {
    guard epoch == began else { return nil }
    refreshing = nil
    switch result {
    case .success(let new):
      earlier = earlier.suffix(7) + [old.access]
      tokens = AuthTokens(access: new.access, refresh: new.refresh ?? old.refresh)
      problem = nil
      write()
      return new.access
    case .failure(AuthRefreshError.rejected):
      signOut()
      note(AuthRefreshError.rejected, "refreshing the token")
    case .failure(let error):
      note(error, "refreshing the token")
    }
    return nil
  }

  /// Writes what counts now, after all that was to be written before.
  private func write() {
    let new = tokens
    let written = store.run { store in
      guard let new else { return try store.remove(Self.key) }
      try store.save(JSONEncoder().encode(new), for: Self.key)
    }
    let previous = lastWrite
    let began = epoch
    lastWrite = Task {
      _ = await previous?.value
      do {
        try await written.value
        return nil
      } catch {
        if epoch == began { problem = error }
        note(error, "writing the session", keeps: true)
        return error
      }
    }
  }

  /// Logs a failure, without any token.
  private func note(_ error: any Error, _ what: String, keeps: Bool = false) {
    if !keeps { problem = error }
    log.error("\(what, privacy: .public) failed: \(Self.text(error), privacy: .public)")
  }

  /// The words of our own errors; of others the type alone, since they may quote what was sent.
  private static func text(_ error: any Error) -> String {
    switch error {
    case let error as KeychainError: error.localizedDescription
    case let error as TokenStoreError: error.localizedDescription
    default: "\(type(of: error))"
    }
  }
}
