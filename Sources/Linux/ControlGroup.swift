import CLinux
import Glibc

/// The control group of a process, which tells who started it: for sessions and logs, no boundary.
public enum ControlGroup {
  /// The path in the unified hierarchy, or empty.
  public static func path(of process: Int32) -> String {
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe open("/proc/\(process)/cgroup", O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { return "" }
    let descriptor = OwnedDescriptor(owning: raw)
    var buffer = [UInt8](repeating: 0, count: 8192)
    // SAFETY: the buffer has room for the given count.
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe read(descriptor.raw, bytes.baseAddress, bytes.count)
    }
    guard count > 0 else { return "" }
    let text = String(decoding: buffer[..<count], as: UTF8.self)
    let line = text.split(separator: "\n").first { $0.hasPrefix("0::") }
    return line.map { String($0.dropFirst(3)) } ?? ""
  }
}
