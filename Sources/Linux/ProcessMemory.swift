import CLinux
import Glibc

/// The memory that a process has at the time, proc_pid_pagemap(5). An exec gives it another one, and
/// the end none, so who still uses this runs what it ran then.
struct ProcessMemory: Sendable {
  private let pagemap: OwnedDescriptor

  /// - Parameter folder: the process's below /proc.
  /// - Returns: nil where the kernel does not say what memory is in use.
  init?(of folder: OwnedDescriptor) {
    guard Self.endIsTold else { return nil }
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe openat(folder.raw, "pagemap", O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { return nil }
    pagemap = OwnedDescriptor(owning: raw)
  }

  /// Whether the process, or one that it shares all its memory with, uses it still.
  var isInUse: Bool { Self.isInUse(pagemap) }

  /// The kernel looks first whether there is any memory left, of which there is nothing to read then,
  /// and only then finds fault with a read that is no multiple of an entry, which takes it no time.
  private static func isInUse(_ pagemap: OwnedDescriptor) -> Bool {
    var byte: UInt8 = 0
    // SAFETY: one byte, as is said.
    return unsafe pread(pagemap.raw, &byte, 1, 0) == -1 && errno == EINVAL
  }

  /// Whether this kernel does look in that order, by the memory of a process that has ended.
  private static let endIsTold: Bool = {
    let raw = whorl_ended_pagemap()
    guard raw >= 0 else { return false }
    return !isInUse(OwnedDescriptor(owning: raw))
  }()
}
