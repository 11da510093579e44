import Foundation
import Testing

/// Mounts of the tests' own, which `Tests/namespace.sh` makes where the kernel allows it.
public enum Namespace {
  /// Whether a test may mount, and change accounts in /etc. Tests that must are enabled by this.
  public static let isOwn = ProcessInfo.processInfo.environment["WHORL_TEST_NAMESPACE"] != nil
  public static let need: Comment = "needs a mount namespace"
  /// The account that the namespace's /etc has, and its password.
  public static let user: uid_t = 4242
  public static let userName = "tester"
  public static let password = "sesame"
}
