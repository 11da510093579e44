import CLinux
import Glibc

/// The process's standard error, for messages of a service about its own start.
public enum StandardError {
  public static func write(_ text: String) {
    let bytes = Array(text.utf8)
    // SAFETY: the buffer's own length; what cannot be written is lost, there is nowhere else.
    unsafe bytes.withUnsafeBytes { bytes in
      _ = unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
    }
  }
}
