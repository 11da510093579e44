import Foundation
import Glibc
import TemporaryFolder
import TestHost

/// A PAM module that misbehaves as its arguments say.
enum HostileModule {
  // Built once, by whichever test comes first.
  private static let built = Result { try build() }

  /// The module, compiled for this run.
  static func path() throws -> String { try built.get().path + "/hostile.so" }

  private static func build() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let source = PrivateHost.repository.appendingPathComponent(
      "Tests/Attacks/Host/Modules/hostile.c"
    ).path
    guard access("/usr/bin/gcc", X_OK) == 0 else {
      throw PrivateHost.Missing("install the package gcc")
    }
    let compiler = try Child(
      [
        "/usr/bin/gcc", "-Wall", "-Werror", "-shared", "-fPIC", "-o",
        folder.path + "/hostile.so", source, "-lpam",
      ], environment: ["PATH": "/usr/bin:/bin"], error: folder.path + "/gcc.log")
    guard compiler.status(seconds: 60) == 0 else {
      let log = try? String(contentsOfFile: folder.path + "/gcc.log", encoding: .utf8)
      throw PrivateHost.Missing("the module does not compile: \(log ?? "")")
    }
    return folder
  }
}

extension PrivateHost {
  /// Puts the module in a service's place.
  /// - Parameters:
  ///   - words: its arguments.
  ///   - folder: of the service; the host's own by default.
  func installHostile(
    _ words: String, service: String = "whorl-passcode", folder: String? = nil
  ) throws {
    let module = try HostileModule.path()
    let folder = folder ?? services
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "auth required \(module) \(words)\naccount required \(module) \(words)\n".write(
      toFile: "\(folder)/\(service)", atomically: true, encoding: .utf8)
  }
}
