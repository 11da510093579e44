import WhorlClient
import Wire

extension ItemName {
  /// The attributes that programs name services and accounts by, the likeliest first.
  private static let services = [
    "service", "server", "domain", "host", "signon_realm", "origin_url", "URL", "url",
    "application",
  ]
  private static let accounts = [
    "account", "username", "user", "username_value", "UserName", "login", "name",
  ]
  /// Bytes of either part; what is longer is cut.
  private static let limit = 256

  /// The name of an item that has none yet, such that the command line can say it.
  init(label: [UInt8], attributes: Attributes) {
    func first(_ names: [String]) -> [UInt8]? {
      names.lazy.compactMap { attributes[$0] }.first { !$0.isEmpty }
    }
    self.init(
      service: first(Self.services) ?? [],
      wishedAccount: first(Self.accounts) ?? (label.isEmpty ? Array("item".utf8) : label))
  }

  /// Cuts what is too long, and takes a slash in an account for the end of a service, as the
  /// command line does.
  public init(service: [UInt8], wishedAccount account: [UInt8]) {
    let account = Self.cut(account.filter { $0 != 0 })
    let service = Self.cut(service.filter { $0 != 0 })
    let text = service.isEmpty ? account : service + [UInt8(ascii: "/")] + account
    self = ItemName(text) ?? ItemName(service: text, account: Array("item".utf8))
  }

  /// The same name for another item: 2, 3 and so on.
  func numbered(_ number: Int) -> ItemName {
    ItemName(service: service, account: account + Array(" (\(number))".utf8))
  }

  /// At the end of a character, where there are characters.
  private static func cut(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > limit else { return bytes }
    var end = limit
    while end > limit - 4, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    return Array(bytes[..<end])
  }
}
