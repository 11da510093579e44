import LocalAuthentication
import Security
import WhorlTesting

extension SecurityTests.FunctionTableTests {
  private static func add(_ query: CFDictionary) -> FunctionAnswer {
    var result: AnyObject?
    let status = SecItemAdd(query, &result)
    return FunctionAnswer(status, result)
  }

  private static func new(_ extra: [CFString: Any]) -> CFDictionary {
    query([kSecValueData: Data("new".utf8)].merging(extra) { $1 }, account: "new")
  }

  nonisolated(unsafe) static let addRows: [FunctionRow] = [
    FunctionRow("SecItemAdd", "an item", .init(0)) { _ in add(new([:])) },
    FunctionRow("SecItemAdd", "an item, its attributes returned", .init(0, "dictionary")) { _ in
      add(new([kSecReturnAttributes: true]))
    },
    FunctionRow("SecItemAdd", "an item, its data returned", .init(0, "data")) { _ in
      add(new([kSecReturnData: true]))
    },
    FunctionRow("SecItemAdd", "an item, its persistent reference returned", .init(0, "data")) {
      _ in add(new([kSecReturnPersistentRef: true]))
    },
    FunctionRow("SecItemAdd", "an item that is there", .init(-25299)) { _ in add(query([:])) },
    FunctionRow("SecItemAdd", "no class", .init(-50)) { _ in
      add([kSecAttrAccount: "new"] as CFDictionary)
    },
    FunctionRow("SecItemAdd", "an unknown key", .init(-50)) { _ in add(new(["nonsense": 1])) },
    FunctionRow("SecItemAdd", "access control and accessibility", .init(-50)) { _ in
      add(
        new([
          kSecAttrAccessControl: control(.userPresence),
          kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
        ]))
    },
    FunctionRow("SecItemAdd", "access control and synchronizable", .init(-50)) { _ in
      add(new([kSecAttrAccessControl: control(.userPresence), kSecAttrSynchronizable: true]))
    },
    FunctionRow("SecItemAdd", "skip what would ask", .init(-50)) { _ in
      add(new([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]))
    },
    FunctionRow(
      "SecItemAdd", "kSecAttrAccessibleAlways", .init(0), here: .init(-50),
      "`kSecAttrAccessibleAlways` and its sister are `errSecParam`."
    ) { _ in add(new([kSecAttrAccessible: kSecAttrAccessibleAlways])) },
    FunctionRow(
      "SecItemAdd", "more than 1 MiB", .init(0), here: .init(Int(errSecDataTooLarge)),
      "Data is 1 MiB at most**"
    ) { _ in add(new([kSecValueData: Data(count: 1 << 20 + 1)])) },
    FunctionRow("SecItemAdd", "biometryCurrentSet, no print enrolled", .init(-25293)) { keychain in
      keychain.test.enrollment.delete(.rightIndex)
      return add(new([kSecAttrAccessControl: control(.biometryCurrentSet)]))
    },
    FunctionRow("SecItemAdd", "over an item that new prints ended", .init(0)) { keychain in
      let strict = new([kSecAttrAccessControl: control(.biometryCurrentSet)])
      _ = add(strict)
      keychain.test.enrollment.enroll(.leftThumb)
      return add(strict)
    },
  ]

  nonisolated(unsafe) static let replaceRows: [FunctionRow] = [
    FunctionRow(
      "SecItemAddReplacing", "a gated item: nobody is asked", .init(-4), here: .init(0),
      "`SecItemAddReplacing` is added."
    ) { keychain in
      keychain.test.authenticator.then(.cancel)
      return FunctionAnswer(SecItemAddReplacing(query([kSecValueData: Data()])), nil)
    },
    FunctionRow(
      "SecItemAddReplacing", "what is not there", .init(-4), here: .init(0),
      "`SecItemAddReplacing` is added."
    ) { _ in FunctionAnswer(SecItemAddReplacing(new([:])), nil) },
    FunctionRow(
      "SecItemAddReplacing", "something returned", .init(-4), here: .init(-50),
      "`SecItemAddReplacing` is added."
    ) { _ in FunctionAnswer(SecItemAddReplacing(new([kSecReturnData: true])), nil) },
  ]

  private static func find(
    _ extra: [CFString: Any], account: String? = "bob"
  ) -> FunctionAnswer {
    let (status, result) = copy(query(extra, account: account))
    return FunctionAnswer(status, result)
  }

  private static func find(_ act: FakeAuthenticator.Act, _ keychain: InProcess) -> FunctionAnswer {
    keychain.test.authenticator.then(act)
    return find([kSecReturnData: true], account: "alice")
  }

  nonisolated(unsafe) static let copyRows: [FunctionRow] = [
    FunctionRow("SecItemCopyMatching", "nothing returned", .init(0)) { _ in find([:]) },
    FunctionRow("SecItemCopyMatching", "data", .init(0, "data")) { _ in
      find([kSecReturnData: true])
    },
    FunctionRow("SecItemCopyMatching", "attributes", .init(0, "dictionary")) { _ in
      find([kSecReturnAttributes: true])
    },
    FunctionRow("SecItemCopyMatching", "data and attributes", .init(0, "dictionary")) { _ in
      find([kSecReturnAttributes: true, kSecReturnData: true])
    },
    FunctionRow("SecItemCopyMatching", "a persistent reference", .init(0, "data")) { _ in
      find([kSecReturnPersistentRef: true])
    },
    FunctionRow("SecItemCopyMatching", "the data of all", .init(0, "array of data")) { _ in
      find([kSecReturnData: true, kSecMatchLimit: kSecMatchLimitAll])
    },
    FunctionRow(
      "SecItemCopyMatching", "the attributes of all", .init(0, "array of dictionary")
    ) { _ in find([kSecReturnAttributes: true, kSecMatchLimit: kSecMatchLimitAll]) },
    FunctionRow("SecItemCopyMatching", "what is not there", .init(-25300)) { _ in
      find([kSecReturnData: true], account: "nobody")
    },
    FunctionRow("SecItemCopyMatching", "the reference of a password", .init(-50)) { _ in
      find([kSecReturnRef: true])
    },
    FunctionRow("SecItemCopyMatching", "a class that is none", .init(-50)) { _ in
      find([kSecClass: "none"])
    },
    FunctionRow("SecItemCopyMatching", "a gated item, approved", .init(0, "data")) { keychain in
      find(.approve(), keychain)
    },
    FunctionRow("SecItemCopyMatching", "a gated item, cancelled", .init(-128)) { keychain in
      find(.cancel, keychain)
    },
    FunctionRow("SecItemCopyMatching", "a gated item, nobody answers", .init(-25293)) { keychain in
      find(.timeout, keychain)
    },
    FunctionRow("SecItemCopyMatching", "whether a gated item exists, failing", .init(-25308)) { _ in
      find([kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], account: "alice")
    },
    FunctionRow("SecItemCopyMatching", "a gated item, without interaction", .init(-25308)) { _ in
      let context = LAContext()
      context.interactionNotAllowed = true
      return find(
        [kSecReturnData: true, kSecUseAuthenticationContext: context], account: "alice")
    },
    FunctionRow("SecItemCopyMatching", "a gated item, skipped", .init(-25300)) { _ in
      find([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip], account: "alice")
    },
    FunctionRow(
      "SecItemCopyMatching", "the attributes of a gated item, cancelled", .init(-128),
      here: .init(0, "dictionary"), "Reading attributes and existence never asks."
    ) { keychain in
      keychain.test.authenticator.then(.cancel)
      return find([kSecReturnAttributes: true], account: "alice")
    },
    FunctionRow("SecItemCopyMatching", "an item that new prints ended", .init(-25300)) { keychain in
      _ = add(new([kSecAttrAccessControl: control(.biometryCurrentSet)]))
      keychain.test.enrollment.enroll(.leftThumb)
      return find([kSecReturnData: true], account: "new")
    },
    FunctionRow(
      "SecItemCopyMatching", "a group of another program's", .init(-34018), here: .init(-25300),
      "Access groups are namespaces, no boundary."
    ) { _ in find([kSecAttrAccessGroup: "theirs"]) },
    FunctionRow(
      "SecItemCopyMatching", "a certificate", .init(-25300), here: .init(-4),
      "Certificates and identities are `errSecUnimplemented`."
    ) { _ in
      FunctionAnswer(copy([kSecClass: kSecClassCertificate] as CFDictionary).0, nil)
    },
    FunctionRow(
      "SecItemCopyMatching", "case-insensitive", .init(0), here: .init(-4),
      "Case-insensitive matches are `errSecUnimplemented`."
    ) { _ in find([kSecMatchCaseInsensitive: true]) },
  ]

  private static func update(
    _ extra: [CFString: Any], _ changes: [CFString: Any], account: String = "bob"
  ) -> FunctionAnswer {
    FunctionAnswer(SecItemUpdate(query(extra, account: account), changes as CFDictionary), nil)
  }

  nonisolated(unsafe) static let changeRows: [FunctionRow] = [
    FunctionRow("SecItemUpdate", "data", .init(0)) { _ in update([:], [kSecValueData: Data()]) },
    FunctionRow("SecItemUpdate", "what is not there", .init(-25300)) { _ in
      update([:], [kSecAttrLabel: "l"], account: "nobody")
    },
    FunctionRow("SecItemUpdate", "a name that is taken", .init(-25299)) { _ in
      update([:], [kSecAttrAccount: "alice"])
    },
    FunctionRow("SecItemUpdate", "a class", .init(-50)) { _ in
      update([:], [kSecClass: kSecClassKey])
    },
    FunctionRow("SecItemUpdate", "a gated item, approved", .init(0)) { keychain in
      keychain.test.authenticator.then(.approve())
      return update([:], [kSecValueData: Data()], account: "alice")
    },
    FunctionRow("SecItemUpdate", "a gated item, cancelled", .init(-128)) { keychain in
      keychain.test.authenticator.then(.cancel)
      return update([:], [kSecValueData: Data()], account: "alice")
    },
    FunctionRow("SecItemUpdate", "a gated item, without interaction", .init(-25308)) { _ in
      update(
        [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail], [kSecValueData: Data()],
        account: "alice")
    },
    FunctionRow("SecItemDelete", "an item", .init(0)) { _ in
      FunctionAnswer(SecItemDelete(query([:], account: "bob")), nil)
    },
    FunctionRow("SecItemDelete", "a gated item: nobody is asked", .init(0)) { keychain in
      keychain.test.authenticator.then(.cancel)
      return FunctionAnswer(SecItemDelete(query([:])), nil)
    },
    FunctionRow("SecItemDelete", "what is not there", .init(-25300)) { _ in
      FunctionAnswer(SecItemDelete(query([:], account: "nobody")), nil)
    },
    FunctionRow("SecItemDelete", "skip what would ask", .init(-50)) { _ in
      let skip: [CFString: Any] = [kSecUseAuthenticationUI: kSecUseAuthenticationUISkip]
      return FunctionAnswer(SecItemDelete(query(skip)), nil)
    },
  ]
}
