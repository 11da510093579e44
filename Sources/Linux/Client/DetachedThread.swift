import CLinux
import Glibc

/// Runs one closure on a thread of its own.
public enum DetachedThread {
  private final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// - Throws: when the system has no thread left; the closure did not run then.
  public static func run(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    var thread = pthread_t()
    let box = unsafe Unmanaged.passRetained(Box(body))
    // SAFETY: the retained box is passed to exactly one thread, which takes it over.
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, box.toOpaque())
    guard code == 0 else {
      unsafe box.release()
      throw SystemError(code: code, call: "pthread_create")
    }
    pthread_detach(thread)
  }
}
