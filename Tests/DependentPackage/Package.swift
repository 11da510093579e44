// swift-tools-version: 6.2
import PackageDescription

// A package of somebody else's that depends on this one by version. The test puts a repository with a
// tag in the place of the address, and KeychainService.swift into the two targets of its name.
let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let security = Target.Dependency.product(
  name: "Security", package: "whorl", condition: .when(platforms: [.linux]))

let package = Package(
  name: "dependent",
  dependencies: [.package(url: "https://example.org/whorl", from: "1.0.0")],
  targets: [
    .target(
      name: "Service5", dependencies: [security],
      swiftSettings: warnings + [.swiftLanguageMode(.v5)]),
    .target(
      name: "Service6", dependencies: [security],
      swiftSettings: warnings + [.swiftLanguageMode(.v6)]),
    .executableTarget(
      name: "client",
      dependencies: [
        "Service5", "Service6", security,
        .product(name: "LocalAuthentication", package: "whorl"),
        .product(name: "TokenStorage", package: "whorl"),
        .product(name: "WhorlKit", package: "whorl"),
        .product(name: "WhorlTesting", package: "whorl"),
      ], swiftSettings: warnings + [.swiftLanguageMode(.v6)]),
  ]
)
