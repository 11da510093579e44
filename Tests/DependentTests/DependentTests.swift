import Foundation
import TestHost
import Testing

/// A package of somebody else's that depends on this one by version.
@Suite struct DependentTests {
  private static let top = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  private func shell(_ script: String, _ host: PrivateHost) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try host.run(
      ["/usr/bin/env", "PATH=\(path)", "/bin/bash", "-euc", script], seconds: 500)
    try #require(result.status == 0, "\(result.output.suffix(4000)) \(result.error)")
    return result.output + result.error
  }

  @Test(.timeLimit(.minutes(10)))
  func `a package that depends on a version builds without a warning and runs`() throws {
    let host = try PrivateHost()
    try host.startAll()
    let (folder, top) = (host.folder, Self.top)
    let output = try shell(
      """
      mkdir -p \(folder)/version/whorl \(folder)/scratch
      tar -C \(top) --exclude=./.build --exclude=./.git -c . | tar -C \(folder)/version/whorl -x
      cd \(folder)/version/whorl
      git init -q && git add -A
      git -c user.name=Test -c user.email=test@localhost commit -qm version
      git tag 1.0.0
      cp -r \(top)/Tests/DependentPackage \(folder)/dependent
      cd \(folder)/dependent
      sed -i 's|https://example.org/whorl|file://\(folder)/version/whorl|' Package.swift
      for mode in 5 6; do
        mkdir Sources/Service$mode
        cp \(top)/Sources/TokenStorage/KeychainService.swift Sources/Service$mode
      done
      swift build --scratch-path \(folder)/scratch --cache-path \(folder)/cache \
        --config-path \(folder)/config --security-path \(folder)/security 2>&1
      cp \(folder)/scratch/debug/client \(folder)/client
      """, host)
    #expect(output.contains("Build complete!"))
    #expect(!output.contains(/\.swift:\d+:\d+: (warning|error)/))
    let lines = ["true", "five", "six", "true", "none", "signedIn", "true", "0"]
    let result = try host.run(["\(folder)/client"], user: PrivateHost.games, seconds: 30)
    #expect(
      result.output.split(separator: "\n").map(String.init)
        == ["daemon"] + lines + ["memory"] + lines, "\(result.error)")
  }
}
