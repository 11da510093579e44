import LocalAuthentication
import Security

extension SecurityTests.FunctionTableTests {
  private static let error = Foundation.NSError(
    domain: NSOSStatusErrorDomain, code: -50, userInfo: ["key": "value"])

  private static func value(
    _ function: String, _ call: String, _ shape: String = "yes", _ run: @escaping () -> Any?
  ) -> FunctionRow {
    FunctionRow(function, call, .init(0, shape)) { _ in FunctionAnswer(0, run()) }
  }

  private static func make(
    _ flags: SecAccessControlCreateFlags,
    _ protection: CFString = kSecAttrAccessibleWhenUnlocked
  ) -> FunctionAnswer {
    var error: Unmanaged<CFError>?
    let made = SecAccessControlCreateWithFlags(nil, protection, flags, &error)
    return FunctionAnswer(made, error)
  }

  nonisolated(unsafe) static let helperRows: [FunctionRow] = [
    FunctionRow("SecAccessControlCreateWithFlags", "a flag", .init(0, "access control")) { _ in
      make(.userPresence)
    },
    FunctionRow("SecAccessControlCreateWithFlags", "or with and", .init(-50)) { _ in
      make([.biometryAny, .or, .and])
    },
    FunctionRow(
      "SecAccessControlCreateWithFlags", "a watch alone", .init(0, "access control"),
      here: .init(-50), "A watch or companion is never there."
    ) { _ in make(.watch) },
    FunctionRow(
      "SecAccessControlCreateWithFlags", "kSecAttrAccessibleAlways", .init(0, "access control"),
      here: .init(-50), "`kSecAttrAccessibleAlways` and its sister are `errSecParam`."
    ) { _ in make([], kSecAttrAccessibleAlways) },
    value("SecAccessControlGetTypeID", "") {
      CFGetTypeID(control(.userPresence)) == SecAccessControlGetTypeID()
    },
    value("SecCopyErrorMessageString", "a status", "text") {
      SecCopyErrorMessageString(errSecItemNotFound, nil)
    },
    value("SecCopyErrorMessageString", "a number that is none", "text") {
      SecCopyErrorMessageString(1, nil)
    },
    FunctionRow(
      "SecCopyLastFailure", "after what failed", .init(0), here: .init(-25300, "SecFailure"),
      "`SecCopyLastFailure()` is added."
    ) { _ in
      _ = copy(query([:], account: "nobody"))
      let failure = SecCopyLastFailure()
      return FunctionAnswer(failure?.status ?? 0, failure)
    },
    FunctionRow("SecRandomCopyBytes", "a count", .init(0)) { _ in
      var bytes = [UInt8](repeating: 0, count: 16)
      return FunctionAnswer(SecRandomCopyBytes(kSecRandomDefault, 16, &bytes), nil)
    },
    FunctionRow(
      "SecAuthenticationContext.authContext", "a context", .init(0),
      here: .init(0, "AuthContext"), "`SecAuthenticationContext` is added."
    ) { _ in await FunctionRow.answer { try LAContext().authContext() } },
    value("NSError", "") { NSError().code == 0 },
    value("CFGetTypeID", "data") { CFGetTypeID(NSData()) == CFDataGetTypeID() },
    value("CFDataGetTypeID", "") { CFDataGetTypeID() != CFStringGetTypeID() },
    value("CFStringGetTypeID", "") { CFGetTypeID("x" as CFString) == CFStringGetTypeID() },
    value("CFDictionaryGetTypeID", "") { CFGetTypeID(NSDictionary()) == CFDictionaryGetTypeID() },
    value("CFArrayGetTypeID", "") { CFGetTypeID(NSArray()) == CFArrayGetTypeID() },
    value("CFBooleanGetTypeID", "") { CFGetTypeID(kCFBooleanTrue) == CFBooleanGetTypeID() },
    value("CFNumberGetTypeID", "") { CFGetTypeID(NSNumber(value: 7)) == CFNumberGetTypeID() },
    value("CFDateGetTypeID", "") { CFGetTypeID(NSDate()) == CFDateGetTypeID() },
    value("CFNullGetTypeID", "") { CFGetTypeID(kCFNull) == CFNullGetTypeID() },
    value("CFErrorGetTypeID", "") { CFGetTypeID(error) == CFErrorGetTypeID() },
    value("CFEqual", "equal texts") { CFEqual("x" as CFString, "x" as CFString) },
    value("CFEqual", "others", "no") { CFEqual("x" as CFString, "y" as CFString) },
    value("CFHash", "equal texts") { CFHash("x" as CFString) == CFHash("x" as CFString) },
    value("CFBooleanGetValue", "true") { CFBooleanGetValue(kCFBooleanTrue) },
    value("CFErrorGetCode", "an error") { CFErrorGetCode(error) == -50 },
    value("CFErrorGetDomain", "an error", "text") { CFErrorGetDomain(error) },
    value("CFErrorCopyUserInfo", "an error", "dictionary") { CFErrorCopyUserInfo(error) },
    value("CFErrorCopyDescription", "an error", "text") { CFErrorCopyDescription(error) },
    value("CFDataGetLength", "data") { CFDataGetLength(Data(count: 3) as CFData) == 3 },
    value("CFArrayGetCount", "an array") { CFArrayGetCount([1, 2] as CFArray) == 2 },
    value("CFDictionaryGetCount", "a dictionary") {
      CFDictionaryGetCount(["a": 1] as CFDictionary) == 1
    },
  ]
}
