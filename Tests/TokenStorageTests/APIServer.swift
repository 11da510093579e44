import Foundation
import TemporaryFolder
import TestHost

/// The server of the example, as a process on this machine's loopback.
final class APIServer {
  private let folder: TemporaryFolder
  private let child: Child
  let url: URL

  init() throws {
    let folder = try TemporaryFolder()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("stub.py").path
    let child = try Child(
      ["/usr/bin/python3", script, folder("port"), folder("log")],
      environment: ["PATH": "/usr/bin:/bin"], error: folder("error"))
    var port: String?
    let limit = Date().addingTimeInterval(20)
    while port == nil, Date() < limit, child.isRunning {
      port = try? String(contentsOfFile: folder("port"), encoding: .utf8)
      if port == nil { usleep(5000) }
    }
    guard let port, let url = URL(string: "http://127.0.0.1:\(port)") else {
      throw PrivateHost.Missing("the example's server does not start; it needs python3")
    }
    (self.folder, self.child, self.url) = (folder, child, url)
  }

  /// Path and authorization of each request so far.
  func requests() throws -> [String] {
    try String(contentsOfFile: folder("log"), encoding: .utf8).split(separator: "\n").map(
      String.init)
  }

  /// Ends the access token, or with “revoke” both.
  func tell(_ path: String) throws {
    _ = try Data(contentsOf: url.appendingPathComponent(path))
  }
}
