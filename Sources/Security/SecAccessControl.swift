// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AccessControl

/// The access control of an item: a protection class and what a person must prove.
///
/// A class as on Apple's systems, equal by its content.
public final class SecAccessControl: NSObject, Sendable {
  package let control: AccessControl

  package init(_ control: AccessControl) {
    self.control = control
  }

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecAccessControl)?.control == control
  }

  public override var hash: Int { control.hashValue }

  public override var description: String {
    "SecAccessControl: \(control.accessibility.name); \(control.text)"
  }
}

/// The flags of an access control, with Apple's raw values.
public struct SecAccessControlCreateFlags: OptionSet, Sendable {
  public let rawValue: CFOptionFlags

  public init(rawValue: CFOptionFlags) {
    self.rawValue = rawValue
  }

  public static let userPresence = Self(.userPresence)
  public static let biometryAny = Self(.biometryAny)
  public static let touchIDAny = Self(.biometryAny)
  public static let biometryCurrentSet = Self(.biometryCurrentSet)
  public static let touchIDCurrentSet = Self(.biometryCurrentSet)
  public static let devicePasscode = Self(.devicePasscode)
  public static let watch = Self(.companion)
  public static let companion = Self(.companion)
  public static let or = Self(.or)
  public static let and = Self(.and)
  public static let privateKeyUsage = Self(.privateKeyUsage)
  public static let applicationPassword = Self(.applicationPassword)

  private init(_ flags: AccessControlFlags) {
    rawValue = flags.rawValue
  }
}

/// Makes an access control. Never looks at what is enrolled: adding an item does.
///
/// - Parameters:
///   - allocator: ignored.
///   - protection: one of the `kSecAttrAccessible…` constants; the two *always* classes are
///     refused.
///   - error: set to an error of `NSOSStatusErrorDomain` with `errSecParam` and the reason when nil
///     is returned.
public func SecAccessControlCreateWithFlags(
  _ allocator: CFAllocator?, _ protection: CFTypeRef, _ flags: SecAccessControlCreateFlags,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccessControl? {
  do throws(AccessControlError) {
    guard let text = protection as? NSString else { throw .unknownAccessibility }
    let accessibility = try Accessibility(text: text as String)
    return SecAccessControl(
      try AccessControl(
        accessibility: accessibility, flags: AccessControlFlags(rawValue: flags.rawValue)))
  } catch let reason {
    let problem = Foundation.NSError(
      domain: NSOSStatusErrorDomain, code: Int(errSecParam),
      userInfo: [NSLocalizedDescriptionKey: reason.explanation])
    // SAFETY: the caller's variable is valid for the length of the call, by Swift's rule for `&`.
    unsafe error?.pointee = Unmanaged.passRetained(problem)
    return nil
  }
}
