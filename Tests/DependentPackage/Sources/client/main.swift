import LocalAuthentication
import Security
import Service5
import Service6
import TokenStorage
import WhorlKit
import WhorlTesting

/// The same lines with either keychain.
func run() async {
  print(Service5.KeychainService.shared.save(token: "five"))
  print(Service6.KeychainService.shared.getToken() ?? "none")
  Service6.KeychainService.shared.save(token: "six")
  print(Service5.KeychainService.shared.getToken() ?? "none")
  print(Service5.KeychainService.shared.deleteToken())
  print(Service6.KeychainService.shared.getToken() ?? "none")
  let session = TokenStore(KeychainStore(service: "client"))
  await session.signIn(AuthTokens(access: "token"))
  try? await session.flush()
  print(await TokenStore(KeychainStore(service: "client")).load())
  print(LAContext().canEvaluatePolicy(.deviceOwnerAuthentication, error: nil))
  print(SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary))
}

print("daemon")
await run()
print("memory")
let test = try TestKeychain()
Keychain.shared = test.keychain
await run()
