import Linux
import Wire

/// Where Linux-PAM looks for the file of a service.
enum ServiceFile {
  static func folders(_ directory: String?) -> [String] {
    if let directory { [directory] } else { ["/etc/pam.d", "/usr/lib/pam.d"] }
  }

  static func exists(_ service: WorkerService, in directory: String?) -> Bool {
    folders(directory).contains { FileFacts(path: "\($0)/\(service.rawValue)")?.kind == .regular }
  }
}
