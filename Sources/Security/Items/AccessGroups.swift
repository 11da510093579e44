import WhorlKit

/// The access groups of this program: namespaces, no boundary.
package enum AccessGroups {
  /// The default group first. A keychain that was made with groups has those; otherwise the bundle
  /// identifier or else the executable's file name, and `keychain-access-groups` of the Info.plist.
  package static var own: [[UInt8]] {
    let told = Keychain.shared.hello.groups
    return told.isEmpty ? found : told
  }

  private static let found: [[UInt8]] = {
    let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let name = executable.map { URL(fileURLWithPath: $0).lastPathComponent } ?? "unknown"
    let more = Bundle.main.infoDictionary?["keychain-access-groups"] as? [String] ?? []
    return ([Bundle.main.bundleIdentifier ?? name] + more).map { Array($0.utf8) }
  }()
}
