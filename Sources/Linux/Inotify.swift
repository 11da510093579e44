import CLinux
import Glibc

/// Changes of folders, as a descriptor.
public final class Inotify {
  public struct Event: Equatable, Sendable {
    public let watch: Int32
    public let mask: UInt32
    public let name: [UInt8]

    /// Events were lost: anything may have changed.
    public var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    /// A folder came to stand under the name.
    public var isNewFolder: Bool {
      mask & UInt32(IN_ISDIR) != 0 && mask & UInt32(IN_CREATE | IN_MOVED_TO) != 0
    }
    /// The kernel dropped the watch: the folder is gone.
    public var isGone: Bool { mask & UInt32(IN_IGNORED) != 0 }
  }

  private let descriptor: OwnedDescriptor

  public init() throws(SystemError) {
    let raw = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard raw >= 0 else { throw SystemError(code: errno, call: "inotify_init1") }
    descriptor = OwnedDescriptor(owning: raw)
  }

  public var fileDescriptor: Int32 { descriptor.raw }

  /// Watches a folder for every change of its entries, of their contents and of itself.
  /// - Returns: the number events carry; the same folder gives the same number.
  public func watchFolder(_ path: String) throws(SystemError) -> Int32 {
    let mask =
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_DONT_FOLLOW
    // SAFETY: the text is valid for the length of the call.
    let watch = unsafe inotify_add_watch(descriptor.raw, path, UInt32(mask))
    guard watch >= 0 else { throw SystemError(code: errno, call: "inotify_add_watch") }
    return watch
  }

  public func unwatch(_ watch: Int32) {
    _ = inotify_rm_watch(descriptor.raw, watch)
  }

  /// The events that are there.
  public func read() -> [Event] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // SAFETY: the buffer has room for the given count.
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe Glibc.read(descriptor.raw, bytes.baseAddress, bytes.count)
    }
    guard count > 0 else { return [] }
    return Self.parse(buffer[..<count])
  }

  /// Each event is watch, mask, cookie and name length in the host's byte order, then the name,
  /// padded with zeros.
  private static func parse(_ bytes: ArraySlice<UInt8>) -> [Event] {
    func number(_ index: Int) -> UInt32 {
      (0..<4).reduce(0) { $0 | UInt32(bytes[index + $1]) << (8 * UInt32($1)) }.littleEndian
    }
    var events: [Event] = []
    var index = bytes.startIndex
    while index + 16 <= bytes.endIndex {
      let length = Int(number(index + 12))
      guard index + 16 + length <= bytes.endIndex else { break }
      let name = bytes[(index + 16)..<(index + 16 + length)].prefix { $0 != 0 }
      events.append(
        Event(
          watch: Int32(bitPattern: number(index)), mask: number(index + 4), name: Array(name)))
      index += 16 + length
    }
    return events
  }
}
