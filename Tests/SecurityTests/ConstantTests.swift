import Foundation
import Security
import Testing

/// The names, numbers and strings of Apple's headers.
@Suite struct ConstantTests {
  @Test func `every status has a text of words`() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Sources/Security/Constants")
    var count = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: sources.path)
    where file.hasPrefix("StatusCodes") {
      let text = try String(contentsOf: sources.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: /public let errSec(\w+): OSStatus = (-?\d+)/) {
        let status = try #require(OSStatus(match.2))
        let message = try #require(SecCopyErrorMessageString(status, nil)) as String
        #expect(!message.contains("OSStatus") && message.hasSuffix("."), "\(match.1): \(message)")
        count += 1
      }
    }
    #expect(count == 401)
    #expect(SecCopyErrorMessageString(12345, nil) as String? == "OSStatus 12345")
    #expect(
      SecCopyErrorMessageString(errSecInvalidCertificateGroup, nil) as String?
        == "Invalid certificate group.")
  }

  @Test func `the numbers and strings that code compares`() {
    #expect(errSecItemNotFound == -25300 && errSecDuplicateItem == -25299)
    #expect(errSecUserCanceled == -128 && errSecInteractionNotAllowed == -25308)
    #expect(kSecClass as String == "class" && kSecAttrAccount as String == "acct")
    #expect(kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly as String == "akpu")
    #expect(kSecAttrProtocolSSH as String == "ssh ")
    #expect(kSecUseDataProtectionKeychain as String == "nleg")
    #expect(SecAccessControlCreateFlags.biometryCurrentSet.rawValue == 8)
    #expect(SecAccessControlCreateFlags.applicationPassword.rawValue == 1 << 31)
  }

  @Test func `random bytes fill what was asked for and no more`() {
    var bytes = [UInt8](repeating: 0, count: 40)
    #expect(SecRandomCopyBytes(kSecRandomDefault, 33, &bytes) == errSecSuccess)
    #expect(bytes[33...].allSatisfy { $0 == 0 })
    #expect(Set(bytes[..<33]).count > 8)
    #expect(SecRandomCopyBytes(nil, -1, &bytes) == errSecParam)
  }

  @Test func `type ids tell the classes apart`() {
    let objects: [(CFTypeRef, CFTypeID)] = [
      (NSData(), CFDataGetTypeID()), (NSDictionary(), CFDictionaryGetTypeID()),
      (NSArray(), CFArrayGetTypeID()), ("x" as NSString, CFStringGetTypeID()),
      (kCFBooleanTrue, CFBooleanGetTypeID()), (NSNumber(value: 1), CFNumberGetTypeID()),
      (control(.userPresence), SecAccessControlGetTypeID()),
    ]
    for (object, id) in objects { #expect(CFGetTypeID(object) == id, "\(object)") }
    #expect(CFEqual(control(.userPresence), control(.userPresence)))
    #expect(!CFEqual(control(.userPresence), control(.biometryAny)))
  }
}
