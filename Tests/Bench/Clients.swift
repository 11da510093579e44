import AccessControl
import Glibc
import SecretMemory
import TestHost
import WhorlClient
import Wire

let secretText = "thirty-two bytes of one secret!!"

extension PrivateHost {
  /// A keychain with a connection of its own, not yet made.
  func keychain(_ prompter: any Prompter = NoPrompter()) -> Keychain {
    Keychain(
      transport: SocketTransport(path: Array(socket.utf8), trustsAnyServer: false),
      prompter: prompter, groups: [Array("whorl".utf8)])
  }
}

extension ItemIdentity {
  static func bench(_ account: String) -> ItemIdentity {
    ItemIdentity(ItemName(service: [], account: Array(account.utf8)), group: Array("whorl".utf8))
  }
}

extension Keychain {
  func add(_ account: String, _ flags: AccessControlFlags = []) throws {
    try add(
      NewItem(
        identity: .bench(account), attributes: Attributes(),
        accessControl: try AccessControl(accessibility: .whenUnlocked, flags: flags)),
      secret: try SecretBytes(copying: Array(secretText.utf8).span))
  }
}

/// Runs `body` as another user: what connects meanwhile is that user's for good.
func asUser<Value>(_ user: uid_t, _ body: () throws -> Value) rethrows -> Value {
  seteuid(user)
  defer { seteuid(0) }
  return try body()
}
