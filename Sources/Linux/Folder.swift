import CLinux
import Glibc

/// The folders that a service keeps its files in.
public enum Folder {
  /// Makes the folder if there is none.
  ///
  /// - Throws: `EPERM` when it is there but is a link, belongs to another user than this process,
  ///   or lets anyone else in.
  public static func makePrivate(_ path: String) throws(SystemError) {
    try make(path)
    var status = stat()
    // SAFETY: the text and the out-parameter are valid for the length of the call.
    guard unsafe lstat(path, &status) == 0 else { throw SystemError(code: errno, call: "lstat") }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else { throw SystemError(code: EPERM, call: "lstat") }
  }

  /// Makes the folder, for its user alone unless `mode` says more, if nothing stands there.
  public static func make(_ path: String, mode: UInt32 = 0o700) throws(SystemError) {
    // SAFETY: the text is valid for the length of the call.
    if unsafe mkdir(path, mode) != 0, errno != EEXIST {
      throw SystemError(code: errno, call: "mkdir")
    }
  }

  /// Makes names in the folder durable.
  public static func sync(_ path: String) throws(SystemError) {
    // SAFETY: the text is valid for the length of the call.
    let raw = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard raw >= 0 else { throw SystemError(code: errno, call: "open") }
    let descriptor = OwnedDescriptor(owning: raw)
    guard fsync(descriptor.raw) == 0 else { throw SystemError(code: errno, call: "fsync") }
  }

  /// The names in the folder, less `.` and `..`, in no order.
  public static func names(_ path: String) throws(SystemError) -> [String] {
    // SAFETY: the stream is closed below, and each entry is read before the next call.
    guard let stream = unsafe opendir(path) else {
      throw SystemError(code: errno, call: "opendir")
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    guard errno == 0 else { throw SystemError(code: errno, call: "readdir") }
    return names
  }

  /// Puts `source` in the place of `target` in one step.
  public static func rename(_ source: String, to target: String) throws(SystemError) {
    // SAFETY: the texts are valid for the length of the call.
    guard unsafe Glibc.rename(source, target) == 0 else {
      throw SystemError(code: errno, call: "rename")
    }
  }

  /// Removes an empty folder.
  public static func remove(folder path: String) throws(SystemError) {
    // SAFETY: the text is valid for the length of the call.
    guard unsafe rmdir(path) == 0 else { throw SystemError(code: errno, call: "rmdir") }
  }

  public static func remove(file path: String) throws(SystemError) {
    // SAFETY: the text is valid for the length of the call.
    guard unsafe unlink(path) == 0 else { throw SystemError(code: errno, call: "unlink") }
  }
}
