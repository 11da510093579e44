import Foundation

/// The sanitizer that tests and programs are built with, if any.
public enum Sanitizer {
  /// What each process has to know of it: where it writes its reports, and what counts as one.
  public static let environment = ProcessInfo.processInfo.environment.filter {
    $0.key.hasSuffix("SAN_OPTIONS") || $0.key == "SWIFT_BACKTRACE"
  }
}
