import CSystemd
import Glibc

/// Structured records in the system journal.
public enum Journal {
  /// Whether a journal listens, so that nobody need put together what no one takes.
  public static var isPresent: Bool {
    // SAFETY: the text is a constant.
    unsafe access("/run/systemd/journal/socket", F_OK) == 0
  }

  /// Sends one record. Field names are upper-case by the journal's rule; a value may hold any bytes.
  /// Where no journal runs, libsystemd drops the record and this is still a success.
  /// - Returns: whether the record was taken.
  @discardableResult
  public static func send(_ fields: [(name: String, value: String)]) -> Bool {
    var buffers = fields.map { field in Array("\(field.name)=\(field.value)".utf8) }
    // SAFETY: no vector is there yet.
    return unsafe send(&buffers, from: 0, vectors: [])
  }

  /// Collects one pointer a level, so that all are valid at once in the innermost call.
  private static func send(_ buffers: inout [[UInt8]], from index: Int, vectors: [iovec]) -> Bool {
    guard index < buffers.count else {
      // SAFETY: every vector points into an array held by an enclosing frame.
      return unsafe vectors.withUnsafeBufferPointer {
        unsafe sd_journal_sendv($0.baseAddress, Int32($0.count)) >= 0
      }
    }
    var buffer = buffers[index]
    return unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe send(
        &buffers, from: index + 1,
        vectors: vectors + [iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)])
    }
  }
}
