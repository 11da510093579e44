import CLinux
import Glibc

/// This process: what it was started with, and its end.
public enum OwnProcess {
  /// The arguments as bytes: a name need not be UTF-8.
  public static var arguments: [[UInt8]] {
    let count = Int(CommandLine.argc)
    return (0..<count).map { index in
      // SAFETY: the first `argc` entries are strings that live as long as the process.
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return [] }
      return unsafe bytes(argument)
    }
  }

  public static var number: Int32 { getpid() }

  public static var user: UInt32 { geteuid() }

  /// A variable of the environment, as it stands.
  public static func environment(_ name: StaticString) -> [UInt8]? {
    // SAFETY: the name ends in a zero; the string lives until the environment changes, which nothing
    // here does.
    unsafe getenv(text(name)).flatMap { unsafe bytes($0) }
  }

  /// A variable of the environment; nil in a program that runs with more rights than its caller
  /// (AT_SECURE), who would otherwise choose its value.
  public static func trustedEnvironment(_ name: StaticString) -> [UInt8]? {
    // SAFETY: as above.
    unsafe secure_getenv(text(name)).flatMap { unsafe bytes($0) }
  }

  /// Whether it runs with more rights than its caller (AT_SECURE).
  public static var isPrivileged: Bool { whorl_is_privileged() }

  /// The executable's path as the kernel gives it; nil when it cannot tell.
  public static var executable: [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 4096)
    // SAFETY: the buffer has room for `count` bytes.
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe readlink(
        "/proc/self/exe", bytes.baseAddress!.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    return count > 0 ? Array(buffer[..<count]) : nil
  }

  /// Ends the process at once: no exit handlers of libraries and loaded modules. Nothing is lost,
  /// since nothing here is buffered.
  public static func exit(_ status: Int32) -> Never {
    _exit(status)
  }

  private static func text(_ name: StaticString) -> UnsafePointer<CChar> {
    // SAFETY: a literal of text ends in a zero and lives as long as the process.
    unsafe UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self)
  }

  private static func bytes(_ string: UnsafeMutablePointer<CChar>) -> [UInt8] {
    // SAFETY: the caller passes a string that ends in zero.
    unsafe UnsafeRawBufferPointer(start: string, count: strlen(string)).map { $0 }
  }
}
