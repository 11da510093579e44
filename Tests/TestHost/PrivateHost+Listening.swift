import Foundation

extension PrivateHost {
  /// Whether somebody listens at a socket. That its file is there does not say so: a connection that
  /// comes between bind(2) and listen(2) is refused.
  public static func listens(_ path: String) -> Bool {
    // Not by Foundation's one call, which takes the first page of such a file for all of it.
    let bytes = try? FileHandle(forReadingAtPath: "/proc/net/unix")?.readToEnd()
    // Other sockets' names are any bytes.
    return String(decoding: bytes ?? Data(), as: UTF8.self).split(separator: "\n").contains {
      line in
      let fields = line.split(separator: " ", maxSplits: 7)
      // __SO_ACCEPTCON, as the kernel prints it.
      return fields.count == 8 && fields[3] == "00010000" && fields[7] == path
    }
  }
}
