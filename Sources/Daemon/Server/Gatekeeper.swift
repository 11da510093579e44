import Glibc
import Linux

/// Which peers are refused at accept, before a byte of theirs is read.
struct Gatekeeper {
  enum Refusal: Equatable {
    /// The peer is in another user namespace, where its uid means something else.
    case otherNamespace
    /// The uid that stands for "none" or for "not mapped here".
    case noUser
    /// The daemon's or a worker's own group: they are no clients.
    case ownGroup
    /// The peer was gone before it could be looked at.
    case vanished
  }

  private let ownGroups: [String]
  private let overflowUser: UInt32

  /// Workers run in instances of their unit, named after it with an `@`.
  init() {
    let text = try? File(reading: "/proc/sys/kernel/overflowuid").readAll(limit: 64)
    let number = text.flatMap { String(validating: $0, as: UTF8.self) }
    overflowUser = number.flatMap { UInt32($0.split(separator: "\n").first ?? "") } ?? 65534
    // Outside a unit of its own, as in a terminal or a test, the group says nothing.
    let group = ProcessFacts.controlGroup(getpid()) ?? "/"
    if group.hasSuffix("/whorld.service"), let slash = group.lastIndex(of: "/") {
      ownGroups = [group, String(group[..<slash]) + "/whorl-pam-worker"]
    } else {
      ownGroups = []
    }
  }

  func refusal(_ peer: Peer) -> Refusal? {
    guard peer.user != UInt32.max, peer.user != overflowUser else { return .noUser }
    guard let namespace = ProcessFacts.userNamespace(peer.process) else { return .vanished }
    guard namespace == ProcessFacts.ownUserNamespace else { return .otherNamespace }
    if !ownGroups.isEmpty {
      guard let group = ProcessFacts.controlGroup(peer.process) else { return .vanished }
      let isOwn = ownGroups.contains { own in
        group == own || group.hasPrefix(own + "/") || group.hasPrefix(own + "@")
      }
      if isOwn { return .ownGroup }
    }
    return peer.isAlive ? nil : .vanished
  }
}
