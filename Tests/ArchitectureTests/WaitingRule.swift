/// The engine, the protocol and the client below the `async` forms know no concurrency of Swift:
/// they never wait, or wait in poll(2) on the calling thread.
enum WaitingRule {
  static let targets: Set = [
    "AccessControl", "Wire", "Vault", "HostAuthentication", "Daemon", "WhorlClient", "whorl",
    "whorld", "whorl-pam-worker", "whorl-print-reader", "Linux", "SecretMemory",
  ]

  static func problems(_ source: SwiftSource) -> [String] {
    guard source.isProduct, targets.contains(source.target) else { return [] }
    return source.matches(/\b(async|await|actor|Task|DispatchQueue)\b/).map {
      "\(source.path):\($0): concurrency where nothing may wait"
    }
  }
}
