import Foundation
import Systemd

/// A log in the journal whose interpolated values are private unless they are marked.
///
/// ```swift
/// AppLog(category: "cart").info("order \(id, privacy: .public) of \(name)")  // “order 7 of <private>”
/// ```
public struct AppLog: Sendable {
  /// The journal's priorities that apps use.
  public enum Level: Int, Sendable {
    case error = 3
    case notice = 5
    case info = 6
    case debug = 7
  }

  /// The program's name in the journal.
  public let subsystem: String
  /// What part of it writes, as the field `CATEGORY`.
  public let category: String
  private let send: @Sendable ([(name: String, value: String)]) -> Void

  /// - Parameter subsystem: by default the bundle identifier, or else the program's name.
  public init(subsystem: String? = nil, category: String) {
    self.init(subsystem: subsystem, category: category) { Journal.send($0) }
  }

  package init(
    subsystem: String? = nil, category: String,
    send: @escaping @Sendable ([(name: String, value: String)]) -> Void
  ) {
    self.subsystem =
      subsystem ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
    self.category = category
    self.send = send
  }

  public func error(_ message: LogMessage) { log(.error, message) }
  public func notice(_ message: LogMessage) { log(.notice, message) }
  public func info(_ message: LogMessage) { log(.info, message) }
  public func debug(_ message: LogMessage) { log(.debug, message) }

  public func log(_ level: Level, _ message: LogMessage) {
    send([
      ("MESSAGE", message.text), ("PRIORITY", "\(level.rawValue)"),
      ("SYSLOG_IDENTIFIER", subsystem), ("CATEGORY", category),
    ])
  }
}

/// The text of a log: literals as they are, values by their privacy.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable {
  /// Whether a value may be read in the journal.
  public enum Privacy: Sendable {
    case `public`, `private`
  }

  let text: String

  public init(stringLiteral value: String) {
    text = value
  }

  public init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
  }

  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) {
      text += literal
    }

    /// A private value is not even asked for its description.
    public mutating func appendInterpolation<Value>(
      _ value: @autoclosure () -> Value, privacy: Privacy = .private
    ) {
      switch privacy {
      case .public: text += "\(value())"
      case .private: text += "<private>"
      }
    }
  }
}
