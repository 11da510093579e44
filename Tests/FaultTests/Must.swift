import Foundation
import Glibc

/// Ends a test's process as failed unless this holds, and says what did not where the tests'
/// output goes: the library keeps what such a process writes to itself.
func must(_ holds: Bool, _ what: String = "", line: Int = #line) {
  guard !holds else { return }
  let output = open("/proc/\(getppid())/fd/2", O_WRONLY | O_APPEND | O_CLOEXEC)
  let bytes = Array("line \(line): \(what)\n".utf8)
  _ = write(output, bytes, bytes.count)
  exit(1)
}

/// Runs the body of a test's process; an error ends it as failed.
func mustSucceed(line: Int = #line, _ body: () throws -> Void) {
  do { try body() } catch { must(false, "\(error)", line: line) }
}
