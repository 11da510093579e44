import AccessControl
import Wire

/// The name of an item as people write it: `[SERVICE/]ACCOUNT`.
///
/// The service ends at the last slash, so a service may hold slashes and an account may not.
public struct ItemName: Hashable, Sendable {
  public let service: [UInt8]
  public let account: [UInt8]

  public init(service: [UInt8], account: [UInt8]) {
    self.service = service
    self.account = account
  }

  /// - Returns: nil when the account is empty or the name has a zero byte.
  public init?(_ text: [UInt8]) {
    guard !text.contains(0) else { return nil }
    if let slash = text.lastIndex(of: UInt8(ascii: "/")) {
      service = Array(text[..<slash])
      account = Array(text[(slash + 1)...])
    } else {
      service = []
      account = text
    }
    guard !account.isEmpty else { return nil }
  }

  public var bytes: [UInt8] {
    service.isEmpty ? account : service + [UInt8(ascii: "/")] + account
  }
}

extension ItemIdentity {
  /// A generic password by its name.
  public init(_ name: ItemName, group: [UInt8]) {
    self.init(group: group, service: name.service, account: name.account)
  }

  /// The name under which a person sees the item.
  public var name: ItemName {
    switch itemClass {
    case .genericPassword:
      ItemName(service: self["svce"] ?? [], account: self["acct"] ?? [])
    case .internetPassword:
      ItemName(service: self["srvr"] ?? [], account: self["acct"] ?? [])
    case .key:
      ItemName(service: [], account: self["atag"] ?? [])
    }
  }
}
