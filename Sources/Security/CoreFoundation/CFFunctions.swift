// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The functions of Core Foundation that keychain code calls.

/// The type of an object, to compare with the `…GetTypeID()` functions; 0 for other types.
public func CFGetTypeID(_ object: CFTypeRef?) -> CFTypeID {
  switch object {
  case is SecAccessControl: SecAccessControlGetTypeID()
  case is SecKey: SecKeyGetTypeID()
  case is NSData: CFDataGetTypeID()
  case is NSDictionary: CFDictionaryGetTypeID()
  case is NSArray: CFArrayGetTypeID()
  case is NSString: CFStringGetTypeID()
  case is NSDate: CFDateGetTypeID()
  case let number as NSNumber:
    // SAFETY: the encoding is a constant text of Foundation's.
    unsafe String(cString: number.objCType) == "c" ? CFBooleanGetTypeID() : CFNumberGetTypeID()
  case is Foundation.NSError: CFErrorGetTypeID()
  case is NSNull: CFNullGetTypeID()
  default: 0
  }
}

public func CFStringGetTypeID() -> CFTypeID { 7 }
public func CFNullGetTypeID() -> CFTypeID { 16 }
public func CFDictionaryGetTypeID() -> CFTypeID { 18 }
public func CFArrayGetTypeID() -> CFTypeID { 19 }
public func CFDataGetTypeID() -> CFTypeID { 20 }
public func CFBooleanGetTypeID() -> CFTypeID { 21 }
public func CFNumberGetTypeID() -> CFTypeID { 22 }
public func CFErrorGetTypeID() -> CFTypeID { 27 }
public func CFDateGetTypeID() -> CFTypeID { 42 }
public func SecAccessControlGetTypeID() -> CFTypeID { 256 }

public func CFEqual(_ first: CFTypeRef?, _ second: CFTypeRef?) -> Bool {
  guard let first = first as? NSObject, let second = second as? NSObject else {
    return first === second
  }
  return first.isEqual(second)
}

public func CFHash(_ object: CFTypeRef?) -> CFHashCode {
  CFHashCode(bitPattern: (object as? NSObject)?.hash ?? 0)
}

public func CFBooleanGetValue(_ boolean: CFBoolean) -> Bool { boolean.boolValue }

public func CFErrorGetDomain(_ error: CFError) -> CFErrorDomain { error.domain as NSString }

public func CFErrorGetCode(_ error: CFError) -> CFIndex { error.code }

public func CFErrorCopyUserInfo(_ error: CFError) -> CFDictionary { error.userInfo as NSDictionary }

public func CFErrorCopyDescription(_ error: CFError) -> CFString! {
  error.localizedDescription as NSString
}

public func CFDataGetLength(_ data: CFData) -> CFIndex { data.length }

public func CFArrayGetCount(_ array: CFArray) -> CFIndex { array.count }

public func CFDictionaryGetCount(_ dictionary: CFDictionary) -> CFIndex { dictionary.count }
