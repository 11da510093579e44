import Security
import Testing

extension SecurityTests {
  /// Wrong input gets `errSecParam`, and nothing is changed.
  @Suite struct WrongInputTests {
    let keychain: InProcess

    init() throws {
      keychain = try InProcess()
      #expect(SecItemAdd(query([kSecValueData: Data("s".utf8)]), nil) == errSecSuccess)
    }

    nonisolated(unsafe) static let wrong: [(String, [CFString: Any])] = [
      ("an unknown key", ["nonsense": 1]),
      ("an unknown class", [kSecClass: "xxxx"]),
      ("a class of the wrong type", [kSecClass: 7]),
      ("an account of the wrong type", [kSecAttrAccount: ["a"]]),
      ("an attribute of another class", [kSecAttrServer: "example.org"]),
      ("a label of the wrong type", [kSecAttrLabel: Date()]),
      ("a flag that is text", [kSecReturnData: "yes"]),
      ("a limit that is text", [kSecMatchLimit: "m_LimitSome"]),
      ("a limit of none", [kSecMatchLimit: 0]),
      ("a negative limit", [kSecMatchLimit: -1]),
      ("an unknown accessibility", [kSecAttrAccessible: "zz"]),
      ("an always class", [kSecAttrAccessible: kSecAttrAccessibleAlways]),
      ("an access control that is none", [kSecAttrAccessControl: "userPresence"]),
      (
        "access control and accessibility",
        [
          kSecAttrAccessControl: control(.userPresence),
          kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
        ]
      ),
      ("an empty access group", [kSecAttrAccessGroup: ""]),
      ("a context that is none", [kSecUseAuthenticationContext: "context"]),
      ("an unknown interaction", [kSecUseAuthenticationUI: "u_AuthUIX"]),
      ("a persistent reference that is none", [kSecValuePersistentRef: Data([1, 2, 3])]),
      ("a reference asked of a password", [kSecReturnRef: true]),
    ]

    @Test func `wrong input is -50 for every function and changes nothing`() {
      for (name, extra) in Self.wrong {
        let wrong = query(extra)
        #expect(copy(wrong).0 == errSecParam, "copy: \(name)")
        #expect(SecItemAdd(wrong, nil) == errSecParam, "add: \(name)")
        if extra[kSecReturnRef] == nil {
          #expect(
            SecItemUpdate(wrong, [kSecAttrLabel: "x"] as CFDictionary) == errSecParam,
            "update: \(name)")
          #expect(SecItemDelete(wrong) == errSecParam, "delete: \(name)")
        }
      }
      let (_, result) = copy(query([kSecReturnAttributes: true, kSecReturnData: true]))
      #expect((result as? [String: Any])?["v_Data"] as? Data == Data("s".utf8))
      #expect((result as? [String: Any])?["labl"] == nil)
    }

    @Test func `a query without a class is -50`() {
      let query = [kSecAttrAccount: "alice"] as CFDictionary
      #expect(copy(query).0 == errSecParam)
      #expect(SecItemAdd(query, nil) == errSecParam)
      #expect(SecItemUpdate(query, [kSecAttrLabel: "x"] as CFDictionary) == errSecParam)
      #expect(SecItemDelete(query) == errSecParam)
      #expect(copy([:] as CFDictionary).0 == errSecParam)
    }

    @Test func `what only a query may have is -50 in an update`() {
      for extra in [
        [kSecClass: kSecClassGenericPassword], [kSecReturnData: true],
        [kSecMatchLimit: kSecMatchLimitAll], [kSecUseAuthenticationUI: kSecUseAuthenticationUIFail],
        [kSecAttrServer: "x"], [:],
      ] as [[CFString: Any]] {
        #expect(SecItemUpdate(query([:]), extra as CFDictionary) == errSecParam, "\(extra)")
      }
    }

    @Test func `what only one function takes is -50 for the others`() {
      let skip = query([kSecUseAuthenticationUI: kSecUseAuthenticationUISkip])
      #expect(SecItemAdd(skip, nil) == errSecParam)
      #expect(SecItemUpdate(skip, [kSecAttrLabel: "x"] as CFDictionary) == errSecParam)
      #expect(SecItemDelete(skip) == errSecParam)
      #expect(copy(query([kSecValueData: Data()])).0 == errSecParam)
      #expect(
        SecItemAdd(query([kSecMatchLimit: kSecMatchLimitOne], account: "b"), nil) == errSecParam)
      #expect(SecItemAdd(query([kSecValueData: "text"], account: "b"), nil) == errSecParam)
    }

    @Test func `an access control does not synchronize`() {
      let both = query(
        [kSecAttrAccessControl: control(.userPresence), kSecAttrSynchronizable: true], account: "b")
      #expect(SecItemAdd(both, nil) == errSecParam)
    }

    @Test func `classes that are not kept are unimplemented`() {
      for kind in [kSecClassCertificate, kSecClassIdentity] {
        #expect(copy([kSecClass: kind] as CFDictionary).0 == errSecUnimplemented)
      }
    }

    @Test func `an attribute is 4 KiB at most when primary, else 16 KiB`() {
      let text = { (count: Int) in String(repeating: "a", count: count) }
      #expect(SecItemAdd(query([:], account: text(4097)), nil) == errSecParam)
      #expect(SecItemAdd(query([:], account: text(4096)), nil) == errSecSuccess)
      #expect(
        SecItemAdd(query([kSecAttrComment: text(16 * 1024 + 1)], account: "c"), nil) == errSecParam)
      #expect(
        SecItemAdd(query([kSecAttrComment: text(16 * 1024)], account: "c"), nil) == errSecSuccess)
    }

    @Test func `an account that is no UTF-8 is kept as it is`() {
      let account = Data([0xff, 0xfe, 0x00])
      #expect(SecItemAdd(query([kSecAttrAccount: account], account: nil), nil) == errSecSuccess)
      let (_, result) = copy(
        query([kSecAttrAccount: account, kSecReturnAttributes: true], account: nil))
      #expect((result as? [String: Any])?["acct"] as? Data == account)
    }

    @Test func `access controls are made only of what Apple accepts`() {
      typealias Row = (SecAccessControlCreateFlags, Bool)
      let rows: [Row] = [
        ([], true), ([.userPresence], true), ([.biometryAny, .or, .devicePasscode], true),
        ([.biometryCurrentSet, .and, .devicePasscode], true),
        ([.biometryAny, .devicePasscode], true),
        ([.userPresence, .applicationPassword], true), ([.biometryAny, .watch, .or], true),
        ([.biometryAny, .or, .and], false), ([.biometryAny, .biometryCurrentSet], false),
        ([.userPresence, .or, .devicePasscode], false), ([.userPresence, .biometryAny], false),
        (SecAccessControlCreateFlags(rawValue: 1 << 20), false),
      ]
      for (flags, isValid) in rows {
        var error: Unmanaged<CFError>?
        let made = SecAccessControlCreateWithFlags(
          kCFAllocatorDefault, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, flags, &error)
        #expect((made != nil) == isValid, "\(flags)")
        #expect((error == nil) == isValid, "\(flags)")
        if let error {
          let error = error.takeRetainedValue()
          #expect(CFErrorGetCode(error) == CFIndex(errSecParam))
          #expect(CFErrorGetDomain(error) as String == NSOSStatusErrorDomain)
        }
      }
    }
  }
}
