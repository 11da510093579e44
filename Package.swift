// swift-tools-version: 6.2
import Foundation
import PackageDescription

// A sanitizer brings its own runtime, which the static link of the programs excludes.
let sanitizing = ProcessInfo.processInfo.environment["SANITIZE"] != nil

/// The fuzzer takes the place of the tests that replay its corpus: both are made of the same files.
let fuzzing = ProcessInfo.processInfo.environment["FUZZ"] != nil

let strict: [SwiftSetting] = [
  .strictMemorySafety(), .treatAllWarnings(as: .error), .swiftLanguageMode(.v6),
]

/// What runs stands together, so that a process maps few pages: .linker/order.sh says how the list is
/// made. Names that are not there, or no more, do no harm.
let ordered = [
  "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/.linker/order",
  "-Xlinker", "--no-warn-symbol-ordering",
]

/// Root programs: immediate binding, so that no lazy resolver leaves register copies of a secret
/// on the stack, and no path into the toolchain at run time. .linker/ makes `-lstdc++`, which the
/// Swift runtime wants, its archive: to load the shared one takes a worker a quarter of its start
/// and the daemon a megabyte.
let rootProgram: [LinkerSetting] =
  sanitizing
  ? []
  : [
    .unsafeFlags(
      [
        "-static-stdlib", "-Xlinker", "-z", "-Xlinker", "now", "-use-ld=lld",
        "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs",
        "-Xlinker", "--no-export-dynamic", "-Xlinker", "--icf=safe",
        "-L\(Context.packageDirectory)/.linker",
      ] + ordered)
  ]

/// The command line starts in the time of a C program only when it is fully static.
let commandLine: [LinkerSetting] =
  sanitizing
  ? []
  : [
    .unsafeFlags(["-static-executable", "-Xlinker", "--gc-sections", "-use-ld=lld"] + ordered)
  ]

/// Code as people write it for Apple's systems: each shape is a target in either language mode, and
/// compiles without a warning.
let appleShapes = ["Wrapper", "DataAccounts", "Gated", "Tokens", "Rights"]

func appleClients(_ number: String, _ mode: SwiftLanguageMode) -> [Target] {
  var settings: [SwiftSetting] = [.treatAllWarnings(as: .error), .swiftLanguageMode(mode)]
  var targets: [Target] = []
  var names: [Target.Dependency] = ["LocalAuthentication"]
  for shape in appleShapes {
    targets.append(
      .target(
        name: "Apple" + shape + number, dependencies: ["Security", "LocalAuthentication"],
        path: "Tests/AppleClients/Swift" + number + "/" + shape, swiftSettings: settings))
    names.append(.byName(name: "Apple" + shape + number))
  }
  if number == "6" { settings.append(.define("SWIFT6_SHAPES")) }
  targets.append(
    .executableTarget(
      name: "apple-client-" + number, dependencies: names,
      path: "Tests/AppleClients/Swift" + number + "/Program", swiftSettings: settings))
  return targets
}

/// The PAM module: exports what libpam calls; no program that loads it has a sanitizer's runtime.
let embedded = SwiftSetting.enableExperimentalFeature("Embedded")
let moduleMap = "\(Context.packageDirectory)/Sources/PAMWhorl/exports.map"
let module: [Target] = [
  .target(
    name: "PAMWhorl", dependencies: ["CLinux", "CPAMModule"], exclude: ["exports.map"],
    swiftSettings: strict + [embedded, .unsafeFlags(["-wmo", "-Osize"])],
    linkerSettings: [
      .linkedLibrary("pam"),
      .unsafeFlags(["-Xclang-linker", "-Wl,--version-script=\(moduleMap),--gc-sections,-s,-z,now"]),
    ])
].filter { _ in !sanitizing && !fuzzing }

let fuzzed: [Target.Dependency] = [
  "AccessControl", "Wire", "Vault", "HostAuthentication", "Daemon", "WhorlClient", "WhorlCommands",
  "Linux", "SecretMemory", "Crypto", "EllipticCurve", "SQLite", "Systemd", "WhorlKit",
  "WhorlTesting", "Transfer", "DesktopPrompt",
]

let libraries = ["WhorlKit", "WhorlTesting", "Security", "LocalAuthentication", "TokenStorage"]
let programs = [
  "whorl", "whorl-lint", "whorl-keyring", "whorl-secret-service", "whorl-prompt", "whorld",
  "whorl-pam-worker",
  "whorl-print-reader",
]

let package = Package(
  name: "whorl",
  products: libraries.map { .library(name: $0, targets: [$0]) }
    + programs.map { .executable(name: $0, targets: [$0]) }
    + module.map { .library(name: "pam_whorl", type: .dynamic, targets: [$0.name]) },
  targets: [
    // C libraries, as they are.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium"),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
    .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
    .systemLibrary(name: "CPAM"),
    .systemLibrary(name: "CPAMModule"),
    .systemLibrary(name: "CFprint", pkgConfig: "libfprint-2"),
    .systemLibrary(name: "COpenSSL"),
    .systemLibrary(name: "CSecret", pkgConfig: "libsecret-1"),

    // One small safe wrapper for each of them. `unsafe` ends here.
    .target(name: "Linux", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "SecretMemory", dependencies: ["CLinux"], swiftSettings: strict),
    .target(name: "Crypto", dependencies: ["CSodium", "SecretMemory"], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(name: "Systemd", dependencies: ["CSystemd"], swiftSettings: strict),
    .target(name: "PAM", dependencies: ["CPAM", "SecretMemory"], swiftSettings: strict),
    .target(name: "Fprint", dependencies: ["CFprint"], swiftSettings: strict),
    .target(
      name: "EllipticCurve", dependencies: ["COpenSSL", "SecretMemory"], swiftSettings: strict,
      // The archive: of the shared library a daemon would map and relocate all.
      linkerSettings: [.linkedLibrary(":libcrypto.a")]),
    .target(name: "NameService", dependencies: ["CLinux"], swiftSettings: strict),
    // Debug information as Swift writes it: valgrind, which .linker/ needs, reads no later kind.
    .target(name: "CStartUp", cSettings: [.unsafeFlags(["-gdwarf-4"])]),
    .target(name: "StartUp", dependencies: ["CLinux", "CStartUp"], swiftSettings: strict),
    .target(
      name: "SecretService", dependencies: ["CSecret", "Linux", "SecretMemory"],
      swiftSettings: strict),

    // Pure: policy, protocol, engine.
    .target(name: "Product", swiftSettings: strict),
    .target(name: "AccessControl", swiftSettings: strict),
    .target(name: "Wire", dependencies: ["AccessControl", "SecretMemory"], swiftSettings: strict),
    .target(
      name: "Vault",
      dependencies: ["AccessControl", "Wire", "Crypto", "EllipticCurve", "SecretMemory"],
      swiftSettings: strict),

    // The source check: bytes in, findings out.
    .target(name: "Lint", swiftSettings: strict),

    // Adapters and compositions.
    .target(
      name: "HostAuthentication",
      dependencies: ["Wire", "Vault", "Crypto", "Linux", "SecretMemory", "Systemd"],
      swiftSettings: strict),
    .target(
      name: "Daemon",
      dependencies: [
        "AccessControl", "Wire", "Vault", "HostAuthentication", "Linux", "SecretMemory", "Crypto",
        "SQLite", "Systemd",
      ], swiftSettings: strict),
    .target(
      name: "WhorlClient", dependencies: ["AccessControl", "Wire", "Linux", "SecretMemory"],
      swiftSettings: strict),
    .target(
      name: "WhorlKit",
      dependencies: ["AccessControl", "Wire", "Linux", "SecretMemory", "WhorlClient"],
      swiftSettings: strict),
    .target(
      name: "WhorlTesting",
      dependencies: [
        "AccessControl", "Wire", "Vault", "Crypto", "Linux", "SecretMemory", "WhorlKit",
      ], swiftSettings: strict),

    // Items on their way in and out: imports and backups.
    .target(
      name: "Transfer",
      dependencies: ["AccessControl", "Wire", "Crypto", "SecretMemory", "WhorlClient"],
      swiftSettings: strict),

    // Apple's names over WhorlKit: tables and shapes, no logic of their own. They may use Foundation.
    .target(
      name: "Security",
      dependencies: [
        "AccessControl", "Wire", "Crypto", "EllipticCurve", "SecretMemory", "WhorlKit",
      ],
      exclude: ["Security.docc"], swiftSettings: strict),
    .target(
      name: "LocalAuthentication",
      dependencies: ["AccessControl", "Wire", "SecretMemory", "WhorlKit", "Security"],
      swiftSettings: strict),

    // Over the keychain, written as apps are: to strict memory safety Apple's constants are none.
    .target(
      name: "TokenStorage", dependencies: ["Security", "LocalAuthentication", "Systemd"],
      exclude: ["TokenStorage.docc"],
      swiftSettings: [.treatAllWarnings(as: .error), .swiftLanguageMode(.v6)]),

    // Programs: each main.swift is a composition root.
    .executableTarget(
      name: "whorl",
      dependencies: [
        "AccessControl", "Wire", "WhorlClient", "Linux", "Product", "SecretMemory", "StartUp",
      ], swiftSettings: strict, linkerSettings: commandLine),
    .executableTarget(
      name: "whorld", dependencies: ["Daemon", "HostAuthentication", "Linux", "Systemd"],
      swiftSettings: strict, linkerSettings: rootProgram),
    .executableTarget(
      name: "whorl-pam-worker",
      dependencies: ["PAM", "NameService", "Wire", "Crypto", "Linux", "SecretMemory"],
      swiftSettings: strict, linkerSettings: rootProgram),
    .executableTarget(
      name: "whorl-print-reader", dependencies: ["Fprint", "Wire", "Linux"],
      swiftSettings: strict, linkerSettings: rootProgram),
    // It must not follow the commands' full static link: it runs on several threads.
    .executableTarget(
      name: "whorl-lint", dependencies: ["Lint", "Linux", "Product"], swiftSettings: strict,
      linkerSettings: rootProgram),

    // The commands that speak with the user's own keyring. Words and options are those of `whorl`,
    // whose files it has by a link.
    .executableTarget(
      name: "whorl-keyring",
      dependencies: [
        "AccessControl", "Wire", "WhorlClient", "Crypto", "Linux", "Product", "SecretMemory",
        "SecretService", "Transfer",
      ], exclude: ["Shared/main.swift"], swiftSettings: strict, linkerSettings: rootProgram),

    // What a program's keychain asks of the user's own keyring: a call in, an answer out.
    .executableTarget(
      name: "whorl-secret-service",
      dependencies: ["WhorlClient", "Wire", "Linux", "SecretMemory", "SecretService"],
      swiftSettings: strict, linkerSettings: rootProgram),
    // What a program without a terminal asks with: a library, so that tests may look at it.
    .target(
      name: "DesktopPrompt",
      dependencies: ["AccessControl", "Wire", "WhorlClient", "Linux", "SecretMemory", "Systemd"],
      swiftSettings: strict),
    .executableTarget(
      name: "whorl-prompt", dependencies: ["DesktopPrompt", "Linux", "SecretMemory"],
      swiftSettings: strict, linkerSettings: rootProgram),

    // Reads the sources, this file included.
    .testTarget(name: "ArchitectureTests"),

    // Strict memory safety stays off in tests: `#expect` expands to code that cannot be marked.
    .testTarget(name: "AccessControlTests", dependencies: ["AccessControl"]),
    .testTarget(name: "WireTests", dependencies: ["AccessControl", "Wire"], exclude: ["Vectors"]),
    .target(name: "TemporaryFolder", path: "Tests/TemporaryFolder"),
    .target(name: "ProgramRun", dependencies: ["TemporaryFolder"], path: "Tests/ProgramRun"),
    .target(
      name: "ScriptedServer", dependencies: ["Wire", "Linux", "TemporaryFolder"],
      path: "Tests/ScriptedServer"),
    .testTarget(
      name: "WhorlKitTests",
      dependencies: [
        "AccessControl", "Wire", "WhorlClient", "WhorlKit", "Linux", "SecretMemory",
        "ScriptedServer", "TemporaryFolder",
      ]),
    .testTarget(
      name: "CLITests",
      dependencies: [
        "AccessControl", "ProgramRun", "ScriptedServer", "TemporaryFolder", "TestHost", "Wire",
      ]),
    .testTarget(
      name: "LintTests", dependencies: ["Lint", "ProgramRun", "TemporaryFolder"],
      exclude: ["Corpus", "Schema"]),
    .testTarget(name: "SecretMemoryTests", dependencies: ["SecretMemory"]),
    .testTarget(
      name: "CryptoTests", dependencies: ["Crypto", "SecretMemory"], exclude: ["Vectors"]),
    .testTarget(name: "EllipticCurveTests", dependencies: ["EllipticCurve", "SecretMemory"]),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite", "TemporaryFolder"]),
    .testTarget(name: "LinuxTests", dependencies: ["Linux", "TemporaryFolder"]),
    .testTarget(
      name: "WhorlTestingTests",
      dependencies: ["AccessControl", "Wire", "SecretMemory", "WhorlKit", "WhorlTesting"]),
    .testTarget(
      name: "VaultTests",
      dependencies: ["AccessControl", "Wire", "Vault", "Crypto", "SecretMemory", "WhorlTesting"],
      exclude: ["Vectors"]),
    .testTarget(
      name: "SecurityTests",
      dependencies: ["Security", "LocalAuthentication", "WhorlKit", "WhorlTesting"]
        + appleShapes.map { .byName(name: "Apple" + $0 + "5") }
        + appleShapes.map { .byName(name: "Apple" + $0 + "6") }),
    .target(
      name: "TokenExample", dependencies: ["TokenStorage"], path: "Tests/TokenExample/Library"),
    .executableTarget(
      name: "token-example", dependencies: ["LocalAuthentication", "TokenExample", "TokenStorage"],
      path: "Tests/TokenExample/Program"),
    .testTarget(
      name: "TokenStorageTests",
      dependencies: [
        "AccessControl", "LocalAuthentication", "Security", "TemporaryFolder", "TestHost",
        "TokenExample", "TokenStorage", "WhorlKit", "WhorlTesting",
      ], exclude: ["stub.py"]),
    .testTarget(name: "DependentTests", dependencies: ["TestHost"]),
    .testTarget(name: "AppleLiveTests", dependencies: ["TestHost"]),
    .testTarget(
      name: "DaemonTests",
      dependencies: [
        "AccessControl", "Daemon", "HostAuthentication", "Linux", "Vault", "TemporaryFolder",
        "TestHost", "Wire",
      ]),
    .testTarget(name: "WorkerTests", dependencies: ["Wire"], exclude: ["Vectors"]),
    .testTarget(name: "PAMTests", dependencies: ["PAM", "SecretMemory", "TemporaryFolder"]),
    // The programs are found beside the test bundle; a dependency on them would bring their static
    // link flags into it.
    .target(
      name: "TestHost",
      dependencies: ["HostAuthentication", "Linux", "Systemd", "TemporaryFolder"],
      path: "Tests/TestHost"),
    .testTarget(
      name: "HostAuthenticationTests",
      dependencies: [
        "HostAuthentication", "Vault", "Crypto", "Linux", "Systemd", "Wire", "SecretMemory",
        "TemporaryFolder", "TestHost",
      ]),
    .testTarget(name: "IntegrationTests", dependencies: ["Wire", "TestHost"]),
    .testTarget(name: "PAMWhorlTests", dependencies: ["Wire"]),
    .testTarget(
      name: "DesktopTests",
      dependencies: ["AccessControl", "Linux", "ScriptedServer", "TestHost", "Wire"]),
    .testTarget(
      name: "TransferTests",
      dependencies: [
        "AccessControl", "Crypto", "SecretMemory", "Transfer", "Wire",
      ], exclude: ["Vectors"]),
    .testTarget(
      name: "KeyringTests",
      dependencies: ["SecretMemory", "SecretService", "TestHost", "WhorlClient", "Wire"],
      exclude: ["items.py", "secret-service.py", "system-prompter.py"]),
    // System calls of a daemon that a test lets fail.
    .target(name: "CFaults", path: "Tests/CFaults"),
    .executableTarget(
      name: "fault-launcher", dependencies: ["CFaults"], path: "Tests/FaultLauncher"),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "AccessControl", "CFaults", "Crypto", "Daemon", "Linux", "SQLite", "SecretMemory",
        "TestHost", "Vault", "WhorlKit", "WhorlTesting", "Wire",
      ]),
    .testTarget(
      name: "UnitTests", dependencies: ["Daemon", "TestHost", "WhorlClient"],
      exclude: ["Programs"]),
    .testTarget(
      name: "MemoryTests",
      dependencies: [
        "AccessControl", "Crypto", "Daemon", "SecretMemory", "TestHost", "Vault", "Wire",
      ], exclude: ["Modules"]),
    .testTarget(
      name: "ClientAttackTests", dependencies: ["AccessControl", "Wire", "TestHost"],
      path: "Tests/Attacks/Clients"),
    // What a host may do to the daemon: its modules, its bus, its print files.
    .testTarget(
      name: "HostAttackTests",
      dependencies: [
        "AccessControl", "HostAuthentication", "Linux", "SecretMemory", "TemporaryFolder",
        "TestHost", "WhorlKit", "Wire",
      ],
      path: "Tests/Attacks/Host", exclude: ["Modules"]),
    .target(
      name: "WhorlCommands",
      dependencies: ["AccessControl", "Wire", "WhorlClient", "Linux", "Product", "SecretMemory"],
      path: "Tests/Fuzz/Whorl", exclude: ["main.swift"], swiftSettings: strict),
    fuzzing
      ? .executableTarget(
        name: "whorl-fuzz", dependencies: fuzzed, path: "Tests/Fuzz",
        exclude: ["Corpus", "Replay", "Whorl", "README.md", "fuzz.sh"],
        sources: ["Driver", "Properties"])
      : .testTarget(
        name: "FuzzTests", dependencies: fuzzed, path: "Tests/Fuzz",
        exclude: ["Corpus", "Driver", "Whorl", "README.md", "fuzz.sh"],
        sources: ["Replay", "Properties"]),
    .executableTarget(
      name: "whorl-bench",
      dependencies: [
        "AccessControl", "Wire", "HostAuthentication", "Linux", "SecretMemory", "Systemd",
        "TestHost", "WhorlClient",
      ],
      path: "Tests/Bench", exclude: ["bench.sh", "keyring-client.c"]),
    // Linked as the command line is, so that what is measured is not the loading of libraries.
    .executableTarget(
      name: "whorl-bench-client", dependencies: ["Linux", "Wire", "WhorlClient"],
      path: "Tests/BenchClient", linkerSettings: commandLine),
  ] + module + appleClients("5", .v5) + appleClients("6", .v6)
)
