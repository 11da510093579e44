import Linux
import Wire

/// Which peers are refused at accept, before a byte of theirs is read.
struct Gatekeeper {
  enum Refusal: Equatable {
    /// The peer is in another user namespace, where its uid means something else.
    case otherNamespace
    /// The uid that stands for "none" or for "not mapped here".
    case noUser
    /// The daemon's or a worker's own group: they are no clients.
    case ownGroup

    /// What the peer is told.
    var failure: Failure {
      switch self {
      case .otherNamespace: Failure(.notPermitted, detail: "another user namespace is not served")
      case .noUser: Failure(.notPermitted, detail: "this user is not served")
      case .ownGroup: Failure(.notPermitted, detail: "helpers of the service are not served")
      }
    }
  }

  /// The daemon's own control group; nil where it is no unit of its own.
  private let ownGroup: String?
  private let overflowUser: UInt32

  init() {
    let text = SmallFile.text("/proc/sys/kernel/overflowuid", limit: 64)
    overflowUser = text.flatMap { UInt32($0.split(separator: "\n").first ?? "") } ?? 65534
    // Outside a unit of its own, as in a terminal or a test, the group says nothing.
    let group = ProcessFacts.controlGroup(OwnProcess.number) ?? "/"
    ownGroup = group.hasSuffix("/whorld.service") ? group : nil
  }

  /// - Precondition: what is read by number counts only if ``Linux/Peer/isAlive`` afterwards,
  ///   which the caller asks once for all it reads.
  func refusal(_ peer: Peer, _ program: Peer.Program) -> Refusal? {
    guard peer.user != UInt32.max, peer.user != overflowUser else { return .noUser }
    guard program.userNamespace == ProcessFacts.ownUserNamespace else { return .otherNamespace }
    guard let ownGroup else { return nil }
    // One without a group is gone.
    let isOurs = ProcessFacts.controlGroup(peer.process).map { Self.isOurs($0, beside: ownGroup) }
    return isOurs == false ? nil : .ownGroup
  }

  /// Whether a control group is the daemon's or a helper's. A helper runs in an instance of its
  /// template, which systemd may put in a slice of the template's own (systemd.slice(5)) below the
  /// daemon's slice.
  private static func isOurs(_ group: String, beside own: String) -> Bool {
    if group == own || group.hasPrefix(own + "/") { return true }
    let slice = own.split(separator: "/").dropLast()
    let path = group.split(separator: "/")
    guard path.starts(with: slice) else { return false }
    return path.dropFirst(slice.count).contains {
      $0.hasPrefix("whorl-pam-worker@") || $0.hasPrefix("whorl-print-reader@")
    }
  }
}

extension Failure {
  /// With words of our own.
  init(_ code: FailureCode, detail: String) {
    self.init(code, detail: Array(detail.utf8))
  }
}
