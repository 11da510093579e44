import CSystemd
import Glibc

/// Sockets the service manager opened for this process.
public enum Activation {
  public struct Socket: Sendable, Equatable {
    public let fileDescriptor: Int32
    /// `FileDescriptorName=` of the socket unit, or `unknown`.
    public let name: String
  }

  /// Takes the sockets; the environment that names them is removed, so a second call gives none.
  /// The caller owns the descriptors, which are close-on-exec.
  public static func sockets() -> [Socket] {
    var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    // SAFETY: the out-parameter is valid; libsystemd fills `count` names followed by a null.
    let count = unsafe sd_listen_fds_with_names(1, &names)
    guard count > 0 else { return [] }
    var sockets: [Socket] = []
    for index in 0..<Int(count) {
      var name = "unknown"
      if let text = unsafe names?[index] {
        // SAFETY: each name is a string allocated for us, as is the array freed below.
        unsafe name = String(cString: text)
        unsafe free(text)
      }
      sockets.append(Socket(fileDescriptor: 3 + Int32(index), name: name))
    }
    unsafe free(names)
    return sockets
  }
}
