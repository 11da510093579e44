/// Where the keychain is called, and where a token is read.
extension SwiftJudge {
  private static let stores: Set = [
    "keychain", "store", "storage", "vault", "secret", "secrets", "secure", "credential",
    "credentials", "locker", "keystore", "tokenstore", "securestore", "sec",
  ]
  private static let clients: Set = [
    "client", "api", "http", "network", "networking", "request", "requests", "interceptor",
    "middleware", "adapter", "authenticator", "transport", "endpoint", "gateway", "auth",
    "authentication", "authorization", "session", "token", "tokens", "url", "rest", "router",
    "provider", "graphql", "grpc", "websocket", "socket", "login", "credential", "credentials",
  ]
  private static let views: Set = [
    "view", "screen", "controller", "cell", "coordinator", "presenter", "viewmodel", "model",
    "delegate", "app", "widget", "reducer", "feature", "page",
  ]

  mutating func judgePlaces() {
    guard !isTest else { return }
    for call in file.calls where call.name.hasPrefix("SecItem") {
      guard
        ["SecItemAdd", "SecItemUpdate", "SecItemDelete", "SecItemCopyMatching"].contains(call.name)
      else { continue }
      if !isInStore(call.index) { report(.rawKeychainCall, at: call.chain, call.name) }
    }
  }

  mutating func judgeTokens() {
    guard !isTest else { return }
    for call in file.calls
    where readsToken(call) && !isInClient(call.chain) && !isPresence(call.chain, call.close) {
      report(.tokenOutsideClient, at: call.chain, call.name)
    }
    for index in file.texts.indices where file.texts[index] == "[" && file.touches(index) {
      guard file.isOpen(index), file.isWord(index - 1), isStore(file.texts[index - 1], at: index),
        let key = SecretKey(file).secret(in: index + 1..<file.partner[index]), isToken(name(key)),
        file.text(file.partner[index] + 1) != "=", !isInClient(index),
        !isPresence(index - 1, file.partner[index])
      else { continue }
      report(.tokenOutsideClient, at: index - 1, name(key))
    }
  }

  /// Tests make and look at what they test.
  var isTest: Bool {
    let parts = file.path.split(separator: "/")
    return parts.dropLast().contains { $0 == "Tests" || $0.hasSuffix("Tests") }
      || file.path.hasSuffix("Tests.swift") || file.path.hasSuffix("Test.swift")
  }

  private func words(of names: [String]) -> Set<String> { Set(names.flatMap(SecretName.words)) }

  private var fileName: String {
    String((file.path.split(separator: "/").last ?? "").prefix { $0 != "." })
  }

  private func isInStore(_ index: Int) -> Bool {
    let types = file.blocks(around: index).filter { $0.kind == .type }
    if !types.isEmpty {
      return types.contains { type in
        let header = (type.header..<type.open).filter { file.isWord($0) }.map { file.texts[$0] }
        return !words(of: header).isDisjoint(with: Self.stores)
          && words(of: [type.name]).isDisjoint(with: ["view", "controller", "viewmodel", "screen"])
      }
    }
    let function = file.function(around: index)?.name ?? ""
    return !words(of: [fileName, function]).isDisjoint(with: Self.stores)
      || file.blocks.contains { $0.kind == .type && words(of: [$0.name]).contains("keychain") }
  }

  // MARK: - Tokens

  private func isToken(_ name: String) -> Bool {
    let words = SecretName.words(name)
    return words.contains { ["token", "jwt", "bearer"].contains($0) }
  }

  private func isStore(_ name: String, at index: Int) -> Bool {
    if !Self.stores.isDisjoint(with: SecretName.words(name)) { return true }
    return file.typeName(name, at: index).map {
      !Self.stores.isDisjoint(with: SecretName.words($0))
    } ?? false
  }

  private func readsToken(_ call: Call) -> Bool {
    let names = file.chainNames(call).dropLast()
    guard names.contains(where: { isStore($0, at: call.index) }) else { return false }
    if names.contains("UserDefaults") { return false }
    if SecretName.isSecretCall(call.name), isToken(call.name) { return true }
    guard
      [
        "get", "string", "read", "value", "data", "load", "item", "retrieve", "fetch", "object",
        "secret", "readString",
      ].contains(call.name)
    else { return false }
    return call.arguments.contains { argument in
      SecretKey(file).secret(in: argument.value).map { found in
        isToken(name(found)) || isToken(file.constants[name(found)] ?? "")
      } ?? false
    }
  }

  /// Whether only its being there is asked for.
  private func isPresence(_ first: Int, _ close: Int) -> Bool {
    let after = file.text(close + 1)
    if ["!=", "=="].contains(after), file.text(close + 2) == "nil" { return true }
    let before = (file.start[first]..<first).map { file.texts[$0] }
    return before.contains("_") && before.contains("=")
  }

  private func isInClient(_ index: Int) -> Bool {
    let blocks = file.blocks(around: index)
    let types = blocks.filter { $0.kind == .type }
    let isView = types.contains { type in
      !words(of: [type.name]).isDisjoint(with: Self.views)
        || (type.open - 2..<type.open).contains {
          ["View", "App", "UIViewController"].contains(file.text($0))
        }
    }
    if !isView {
      let headers = types.flatMap { type in (type.header..<type.open).map { file.texts[$0] } }
      let names = headers + (types.isEmpty ? [file.function(around: index)?.name ?? ""] : [])
      let allowed = Self.clients.union(Self.stores)
      if !words(of: names).isDisjoint(with: allowed) { return true }
    }
    // What is handed to a client when it is made.
    return file.calls.contains { call in
      let isAround = index > call.open && index < call.close
      let isTrailing = file.blockAt[call.close + 1].map { file.blocks[$0].contains(index) } ?? false
      return (isAround || isTrailing) && call.name.first?.isUppercase == true
        && !words(of: [call.name]).isDisjoint(with: Self.clients)
        && words(of: [call.name]).isDisjoint(with: Self.views)
    }
  }
}
