// swift-format-ignore-file: AlwaysUseLowerCamelCase

@_exported import Foundation

// Core Foundation's names for the classes that Foundation has on Linux, so that casts such as
// `query as CFDictionary` compile and mean the same.

public typealias OSStatus = Int32
public typealias CFOptionFlags = UInt
public typealias CFIndex = Int
public typealias CFTypeID = UInt
public typealias CFHashCode = UInt
public typealias CFTypeRef = AnyObject
public typealias CFString = NSString
public typealias CFData = NSData
public typealias CFMutableData = NSMutableData
public typealias CFDictionary = NSDictionary
public typealias CFMutableDictionary = NSMutableDictionary
public typealias CFArray = NSArray
public typealias CFNumber = NSNumber
public typealias CFBoolean = NSNumber
public typealias CFDate = NSDate
public typealias CFError = Foundation.NSError
public typealias CFErrorDomain = NSString
public typealias CFAllocator = NSObject
/// Where a function stores its error, as `&error` with an `NSError?` variable.
public typealias NSErrorPointer = UnsafeMutablePointer<Foundation.NSError?>?

public let noErr: OSStatus = 0

// Implicitly unwrapped, since code is written with `kCFBooleanTrue!` and without.
public let kCFBooleanTrue: CFBoolean! = NSNumber(value: true)
public let kCFBooleanFalse: CFBoolean! = NSNumber(value: false)
public nonisolated(unsafe) let kCFAllocatorDefault: CFAllocator! = nil
public let kCFNull: NSNull! = NSNull()

/// `NSError()`, which Foundation lacks on Linux. A function, because no extension can add it.
public func NSError() -> Foundation.NSError {
  Foundation.NSError(domain: "", code: 0, userInfo: nil)
}

// Without it `dictionary[kSecAttrAccount]` finds nothing: on Linux the hash of an NSString as a key
// differs from that of the String it holds.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSString: @retroactive _HasCustomAnyHashableRepresentation {
  public func _toCustomAnyHashable() -> AnyHashable? { AnyHashable(self as String) }
}
