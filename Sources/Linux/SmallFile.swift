import CLinux
import Glibc

/// Small text files that others wrote.
public enum SmallFile {
  /// The whole text; `nil` when it cannot be read, is longer than `limit` bytes, or is not UTF-8.
  public static func text(_ path: String, limit: Int) -> String? {
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else { return nil }
    let descriptor = OwnedDescriptor(owning: raw)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= limit {
      var span = buffer.mutableSpan
      guard let count = BlockingStream(descriptor.raw).read(into: &span) else { return nil }
      if count == 0 { return String(validating: bytes, as: UTF8.self) }
      bytes += buffer[..<count]
    }
    return nil
  }
}
