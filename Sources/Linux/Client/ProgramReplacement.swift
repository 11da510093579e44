import CLinux
import Glibc

/// Becoming another program.
public enum ProgramReplacement {
  /// Executes `arguments[0]`, found in PATH, in place of this process.
  ///
  /// - Parameters:
  ///   - variables: `NAME=value` strings, each ended by a zero. They are added to the
  ///     environment and replace variables of the same names. The bytes are handed to the kernel
  ///     where they are, without a copy.
  /// - Returns: only when it fails: the errno.
  public static func execute(_ arguments: [[UInt8]], adding variables: Span<UInt8>) -> Int32 {
    var added: [Range<Int>] = []
    var start = 0
    for index in 0..<variables.count where variables[index] == 0 {
      added.append(start..<index)
      start = index + 1
    }
    // SAFETY: every pointer is to a string ended by zero that lives until execvpe returns, which
    // it does only on failure; what strdup made is freed then. The kernel changes none of them.
    return unsafe variables.withUnsafeBytes { buffer in
      var argumentPointers = unsafe arguments.map { unsafe duplicate($0) } + [nil]
      defer {
        for index in unsafe argumentPointers.indices { unsafe free(argumentPointers[index]) }
      }
      var environmentPointers: [UnsafeMutablePointer<CChar>?] = unsafe []
      var entry = unsafe whorl_environment()
      while let present = unsafe entry?.pointee {
        if !added.contains(where: { unsafe isSameName(present, buffer, $0) }) {
          unsafe environmentPointers.append(present)
        }
        unsafe entry = unsafe entry?.advanced(by: 1)
      }
      for range in added {
        unsafe environmentPointers.append(
          UnsafeMutablePointer(
            mutating: (buffer.baseAddress! + range.lowerBound).assumingMemoryBound(
              to: CChar.self)))
      }
      unsafe environmentPointers.append(nil)
      unsafe execvpe(argumentPointers[0], &argumentPointers, &environmentPointers)
      return errno
    }
  }

  /// What is found where ``execute(_:adding:)`` would look for a program.
  public enum Finding: Sendable {
    case found
    case missing
    case notExecutable
  }

  /// Looks for a program as execvpe(3) does: by its path, or in the folders of PATH.
  public static func look(for name: [UInt8]) -> Finding {
    guard !name.isEmpty, !name.contains(0) else { return .missing }
    let slash = UInt8(ascii: "/")
    guard !name.contains(slash) else { return look(at: name) }
    let folders = OwnProcess.environment("PATH") ?? Array("/bin:/usr/bin".utf8)
    var finding = Finding.missing
    for folder in folders.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false) {
      switch look(at: folder.isEmpty ? name : folder + [slash] + name) {
      case .found: return .found
      case .notExecutable: finding = .notExecutable
      case .missing: break
      }
    }
    return finding
  }

  private static func look(at path: [UInt8]) -> Finding {
    var facts = stat()
    // SAFETY: the array ends in the zero added here; the out-parameter is valid.
    return unsafe (path + [0]).withUnsafeBytes { buffer in
      let path = unsafe buffer.baseAddress!.assumingMemoryBound(to: CChar.self)
      guard unsafe stat(path, &facts) == 0 else {
        return errno == EACCES ? .notExecutable : .missing
      }
      let isFile = facts.st_mode & S_IFMT == S_IFREG
      return unsafe isFile && access(path, X_OK) == 0 ? .found : .notExecutable
    }
  }

  private static func duplicate(_ bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    // SAFETY: the array ends in the zero added here.
    unsafe (bytes + [0]).withUnsafeBytes { buffer in
      unsafe strdup(buffer.baseAddress!.assumingMemoryBound(to: CChar.self))
    }
  }

  private static func isSameName(
    _ present: UnsafeMutablePointer<CChar>, _ buffer: UnsafeRawBufferPointer, _ range: Range<Int>
  ) -> Bool {
    for offset in 0..<range.count {
      let byte = unsafe buffer[range.lowerBound + offset]
      // SAFETY: the string was equal up to here, so it has not ended before this byte.
      guard unsafe UInt8(bitPattern: present[offset]) == byte else { return false }
      if byte == UInt8(ascii: "=") { return true }
    }
    return false
  }
}
