import Lint
import Linux

/// A file to judge, there or in hand.
struct Source: Sendable {
  enum Content: Sendable {
    case file
    case bytes([UInt8])
  }

  enum Outcome: Sendable {
    case judged(Verdict)
    /// Too large, or no text.
    case skipped
    case unread
    case failed(LintFailure)
  }

  /// No source a person wrote is larger.
  static let limit = 4 << 20

  let path: [UInt8]
  let content: Content

  func judge() -> Outcome {
    let bytes: [UInt8]
    switch content {
    case .bytes(let given): bytes = given
    case .file:
      do throws(SystemError) {
        bytes = try RegularFile.bytes(path, limit: Self.limit)
      } catch {
        return error.isTooLarge ? .skipped : .failed(.reading(path, error))
      }
    }
    guard bytes.count <= Self.limit, !bytes.prefix(8000).contains(0) else { return .skipped }
    return Verdict(bytes, path: name(path)).map { .judged($0) } ?? .unread
  }
}
