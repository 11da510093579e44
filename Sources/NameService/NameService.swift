import CLinux
import Glibc

/// The host's account databases. The modules behind them may block, crash or speak to a network,
/// so only a helper process links this; whorld does not.
public enum NameService {
  /// The database did not answer; `errno` of the call.
  public struct Failure: Error, Equatable, Sendable {
    public let code: Int32
  }

  /// What the shadow entry of an account says, without the hash.
  public enum Password: Sendable, Equatable {
    case unknown, usable, empty, locked, disabled, expired
  }

  private static let bufferLimit = 1 << 20

  /// The name of a uid, or `nil` when it has none.
  public static func name(of uid: UInt32) throws(Failure) -> String? {
    unsafe try lookUp { (buffer, size, found) in
      var entry = unsafe passwd()
      var result: UnsafeMutablePointer<passwd>?
      // SAFETY: entry, buffer and out-parameter are valid; texts point into the buffer.
      let code = unsafe getpwuid_r(uid, &entry, buffer, size, &result)
      if unsafe result != nil { found = unsafe String(cString: entry.pw_name) }
      return code
    }
  }

  /// The uid of a name, or `nil` when there is no such account.
  public static func uid(of name: String) throws(Failure) -> UInt32? {
    unsafe try lookUp { (buffer, size, found) in
      var entry = unsafe passwd()
      var result: UnsafeMutablePointer<passwd>?
      // SAFETY: entry, buffer and out-parameter are valid for the length of the call.
      let code = unsafe getpwnam_r(name, &entry, buffer, size, &result)
      if unsafe result != nil { found = unsafe entry.pw_uid }
      return code
    }
  }

  /// The state of an account's password. Only root reads the shadow database.
  /// - Parameter today: days since 1970, compared with the account's expiry date.
  public static func password(of name: String, today: Int) throws(Failure) -> Password {
    let state: Password? = unsafe try lookUp { (buffer, size, found) in
      var entry = unsafe spwd()
      var result: UnsafeMutablePointer<spwd>?
      // SAFETY: entry, buffer and out-parameter are valid; the hash points into the buffer, of
      // which only the first byte is looked at.
      let code = unsafe getspnam_r(name, &entry, buffer, size, &result)
      if unsafe result != nil {
        found = unsafe classify(UInt8(bitPattern: entry.sp_pwdp[0]))
        if found == .usable, unsafe entry.sp_expire >= 0, unsafe entry.sp_expire <= today {
          found = .expired
        }
      }
      return code
    }
    return state ?? .unknown
  }

  /// Calls `body` with what a change of an account's password changes: the hash with its salt, and
  /// the day it was set. - Returns: nil when the shadow database has no entry.
  public static func withPasswordEntry<Value>(
    of name: String, _ body: ([UInt8]) -> Value
  ) throws(Failure) -> Value? {
    try unsafe lookUp { (buffer, size, found) in
      var entry = unsafe spwd()
      var result: UnsafeMutablePointer<spwd>?
      // SAFETY: entry, buffer and out-parameter are valid; the hash is a string in the buffer, and
      // the copy is wiped.
      let code = unsafe getspnam_r(name, &entry, buffer, size, &result)
      if unsafe result != nil {
        var bytes: [UInt8] = []
        let count = unsafe strlen(entry.sp_pwdp)
        bytes.reserveCapacity(count + 8)
        for index in 0..<count { unsafe bytes.append(UInt8(bitPattern: entry.sp_pwdp[index])) }
        let day = unsafe entry.sp_lstchg
        for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: day >> (8 * shift))) }
        found = body(bytes)
        unsafe bytes.withUnsafeMutableBytes { unsafe explicit_bzero($0.baseAddress!, $0.count) }
      }
      return code
    }
  }

  static func classify(_ first: UInt8) -> Password {
    switch first {
    case 0: .empty
    case UInt8(ascii: "!"): .locked
    case UInt8(ascii: "*"): .disabled
    default: .usable
    }
  }

  /// Grows the buffer until the entry fits, and wipes it: it may have held a hash.
  private static func lookUp<Value>(
    _ call: (UnsafeMutablePointer<CChar>, Int, inout Value?) -> Int32
  ) throws(Failure) -> Value? {
    var size = 4096
    while size <= bufferLimit {
      var found: Value?
      let buffer = UnsafeMutablePointer<CChar>.allocate(capacity: size)
      // SAFETY: the buffer is ours, of the given size, and freed once.
      defer {
        unsafe explicit_bzero(buffer, size)
        unsafe buffer.deallocate()
      }
      let code = unsafe call(buffer, size, &found)
      switch code {
      case 0: return found
      case ENOENT, ESRCH: return nil
      case EINTR: continue
      case ERANGE: size *= 4
      default: throw Failure(code: code)
      }
    }
    throw Failure(code: ERANGE)
  }
}
