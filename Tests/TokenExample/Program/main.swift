import Foundation
import LocalAuthentication
import TokenExample
import TokenStorage

// An app with a session, as a program. Prints what it found, and why.
let arguments = Array(CommandLine.arguments.dropFirst())
let service = "org.example.tokens"

func session(_ store: any SecureStore, _ server: URL? = nil) -> TokenStore {
  TokenStore(store) { token in
    guard let server else { throw AuthRefreshError.rejected }
    return try await AuthServer(server).refresh(token)
  }
}

func describe(_ session: TokenStore) async -> String {
  let state = await session.load()
  guard let problem = await session.problem else { return "\(state)" }
  return "\(state): \(problem.localizedDescription)"
}

/// Each rule on an empty store; one line for each.
func check(_ rules: [StoreContract.Rule], _ store: any SecureStore) {
  for rule in rules {
    do {
      try store.removeAll()
      try rule.run(store)
      print("ok: \(rule.name)")
    } catch { print("broken: \(rule.name): \(error)") }
  }
}

let strict = KeychainStore(service: service, protection: .whenUnlockedThisDeviceOnly)
let plain = KeychainStore(service: service)
let gated = KeychainStore(service: service + ".gated", flags: .userPresence, reason: "to show it")
let dying = KeychainStore(service: service + ".dying", flags: .biometryCurrentSet)

func text(_ store: KeychainStore) -> String {
  do {
    return try store.data(for: "a").map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
  } catch { return error.localizedDescription }
}

func save(_ text: String, _ store: KeychainStore) -> String {
  do {
    try store.save(Data(text.utf8), for: "a")
    return "saved"
  } catch { return error.localizedDescription }
}

switch arguments.first {
case "login":
  let server = URL(string: arguments[1])!
  let session = session(plain, server)
  await session.signIn(try await AuthServer(server).logIn("alice", "wonderland"))
  try await session.flush()
  print(try await APIClient(server: server, tokens: session).get("me"))
case "get":
  let server = URL(string: arguments[1])!
  let session = session(plain, server)
  do { print(try await APIClient(server: server, tokens: session).get("me")) } catch {
    print("\(error)")
  }
  try await session.flush()
case "logout":
  let session = session(plain)
  await session.signOut()
  try await session.flush()
  print(await describe(session))
case "state": print(await describe(session(plain)))
case "strict-login":
  let session = session(strict)
  await session.signIn(AuthTokens(access: "token"))
  try await session.flush()
case "strict-state": print(await describe(session(strict)))
case "contract": check(StoreContract.rules, plain)
case "left": print(try plain.keys())
case "save-gated": print(save(arguments[1], gated))
case "save-open":
  print(save(arguments[1], KeychainStore(service: gated.service)))
case "save-dying": print(save(arguments[1], dying))
case "read-gated": print(text(gated))
case "read-dying": print(text(dying))
case "sign-in-and-read":
  do {
    let context = try await BiometricSignIn().signIn(reason: "Sign in")
    print(text(KeychainStore(service: gated.service, context: context)))
  } catch { print(error.localizedDescription) }
case "service": print(KeychainService.shared.save(token: arguments[1]))
case "service-token": print(KeychainService.shared.getToken() ?? "none")
case "service-delete": print(KeychainService.shared.deleteToken())
case "plain-contract":
  for rule in PlainContract.rules {
    let isKept = rule.run(
      UserDefaultsStore(namespace: "contract"), UserDefaultsStore(namespace: "other"))
    print("\(isKept ? "ok" : "broken"): \(rule.name)")
  }
case "cart":
  print(IdentifierStore(UserDefaultsStore(namespace: "cart")).identifier())
case "cart-reset": UserDefaultsStore(namespace: "cart").removeAll()
case "log":
  AppLog(subsystem: "example", category: "test").notice(
    "a \(arguments[1]) b \(arguments[2], privacy: .public)")
default: print("unknown command")
}
