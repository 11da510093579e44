import WhorlKit

/// What `kSecUseAuthenticationContext` takes: `LAContext`, or any other holder of an auth context.
public protocol SecAuthenticationContext: AnyObject {
  /// The context that requests name.
  ///
  /// - Throws: `.invalidContext` once it is invalidated.
  func authContext() throws(KeychainError) -> AuthContext
}

extension AuthContext: SecAuthenticationContext {
  public func authContext() throws(KeychainError) -> AuthContext { self }
}
