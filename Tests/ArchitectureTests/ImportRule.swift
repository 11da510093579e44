/// The boundaries that no import crosses. What else a target may import is the manifest's matter.
enum ImportRule {
  /// The C modules, and who alone imports them.
  static let owners: [String: Set<String>] = [
    "CLinux": ["Linux", "SecretMemory", "NameService", "StartUp", "PAMWhorl"],
    "CSodium": ["Crypto"], "CSQLite": ["SQLite"], "CSystemd": ["Systemd"], "CPAM": ["PAM"],
    "CPAMModule": ["PAMWhorl"], "CFprint": ["Fprint"],
    "COpenSSL": ["EllipticCurve"], "CSecret": ["SecretService"],
    "Glibc": UnsafeRule.wrappers,
  ]

  /// Targets that may import these modules of ours and no others.
  static let pure: [String: Set<String>] = [
    "AccessControl": [],
    "Lint": [],
    "Product": [],
    "Wire": ["AccessControl", "SecretMemory"],
    "Vault": ["AccessControl", "Wire", "Crypto", "EllipticCurve", "SecretMemory"],
    "WhorlClient": ["AccessControl", "Wire", "Linux", "SecretMemory", "Synchronization"],
  ]

  /// Apple's names are those of Foundation's types, and apps are written with it.
  static let foundation = UnsafeRule.facades.union(["TokenStorage"])

  static func problems(_ source: SwiftSource) -> [String] {
    source.imports.compactMap { module in
      let isAllowed =
        if module == "Foundation" {
          // It costs a program its start, and its types keep copies of what they hold.
          !source.isProduct || foundation.contains(source.target)
        } else if source.isProduct, let owners = owners[module] {
          owners.contains(source.target)
        } else if source.isProduct, let modules = pure[source.target] {
          modules.contains(module)
        } else {
          true
        }
      return isAllowed ? nil : "\(source.path): imports \(module)"
    }
  }
}
