import Foundation
import Glibc

/// The files that fprintd keeps, and what may happen to them.
extension PrivateHost {
  public func delete(finger: String, user: String) throws {
    try claim(user)
    defer { _ = try? device("Release").get() }
    _ = try device("DeleteEnrolledFinger", [.string(finger)]).get()
  }

  public func folder(ofPrintsOf user: String) -> String { "\(prints)/\(user)" }

  /// A copy of the user's prints that keeps their times, as a backup does.
  public func savePrints(of user: String) throws {
    try copy(folder(ofPrintsOf: user), "\(folder)/saved-\(user)")
  }

  public func restorePrints(of user: String) throws {
    try FileManager.default.removeItem(atPath: folder(ofPrintsOf: user))
    try copy("\(folder)/saved-\(user)", folder(ofPrintsOf: user))
  }

  public func copy(_ source: String, _ target: String) throws {
    let result = try run(["/bin/cp", "-a", source, target])
    guard result.status == 0 else { throw Missing(result.error) }
  }

  public func writeStray(_ name: String, user: String) throws {
    try "no print".write(
      toFile: "\(folder(ofPrintsOf: user))/\(name)", atomically: false, encoding: .utf8)
  }

  public func linkStray(_ name: String, user: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder(ofPrintsOf: user))/\(name)", withDestinationPath: "/etc/passwd")
  }

  /// Puts the daemon's state on a file system of its own.
  public func mountState(kibibytes: Int) throws {
    try FileManager.default.createDirectory(
      atPath: state, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    guard mount("none", state, "tmpfs", 0, "size=\(kibibytes)k,mode=700") == 0 else {
      throw Missing("no file system can be mounted here")
    }
    mounts.append(state)
  }

  /// Uses up what is left of the state's file system, until `freeState`.
  public func fillState() throws {
    let file = open("\(state)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let block = [UInt8](repeating: 1, count: 4096)
    while write(file, block, block.count) > 0 {}
  }

  public func freeState() { unlink("\(state)/filler") }
}
