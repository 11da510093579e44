import CLinux
import Glibc

/// What `stat` says of a file.
public struct FileFacts: Equatable, Sendable {
  public enum Kind: Sendable {
    case regular, directory, other
  }

  public let kind: Kind
  public let size: Int64
  public let inode: UInt64
  public let device: UInt64
  /// Nanoseconds since 1970; the first or last that can be told for a time beyond them, which a
  /// file can be given.
  public let modified: Int64
  public let owner: UInt32
  /// The permission bits.
  public let mode: UInt32

  /// Whether it is root's, and nobody else may write to it.
  public var isRootsAlone: Bool { owner == 0 && mode & 0o022 == 0 }

  /// Follows links; `nil` when nothing can be seen there.
  public init?(path: String) {
    var status = stat()
    // SAFETY: the text and the out-parameter are valid for the length of the call.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// The same for a path as the kernel has it.
  public init?(path: [UInt8]) {
    var status = stat()
    let path = path.map { CChar(bitPattern: $0) } + [0]
    // SAFETY: the path ends with a zero; the out-parameter is valid.
    guard unsafe stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Of an open file.
  public init?(descriptor: Int32) {
    var status = stat()
    // SAFETY: the out-parameter is valid.
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    kind = Self.kind(of: status.st_mode)
    size = Int64(status.st_size)
    inode = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
    modified = Self.nanoseconds(status.st_mtim)
    owner = status.st_uid
    mode = UInt32(status.st_mode) & 0o7777
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    let (product, isBeyond) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isSumBeyond) = product.addingReportingOverflow(Int64(time.tv_nsec))
    guard isBeyond || isSumBeyond else { return sum }
    return time.tv_sec < 0 ? .min : .max
  }

  static func kind(of mode: mode_t) -> Kind {
    switch mode & S_IFMT {
    case S_IFREG: .regular
    case S_IFDIR: .directory
    default: .other
    }
  }
}
