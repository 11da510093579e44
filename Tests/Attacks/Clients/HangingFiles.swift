import Foundation
import Glibc
import TestHost

/// A file system whose files open and never close: who closes one waits in the kernel, until this
/// is gone.
final class HangingFiles {
  /// The file system that the kernel asks, fuse(4): a folder in which every name is a file.
  private static let script = """
    import ctypes, os, struct, sys
    device = os.open('/dev/fuse', os.O_RDWR)
    options = f'fd={device},rootmode=40000,user_id=0,group_id=0,allow_other'.encode()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mount(b'hanging', sys.argv[1].encode(), b'fuse', 6, options) != 0:
        sys.exit(os.strerror(ctypes.get_errno()))
    print('mounted', flush=True)
    def attributes(node):
        mode = 0o40755 if node == 1 else 0o100666
        return struct.pack('=6Q10I', node, 0, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)
    while True:
        request = os.read(device, 1 << 20)
        _, code, number, node = struct.unpack_from('=IIQQ', request)
        error, answer = 0, b''
        if code == 26:
            answer = struct.pack('=4I2HIIHH8I', 7, 31, 65536, 0, 0, 0, 65536, 1, 0, 0, *[0] * 8)
        elif code == 1:
            answer = struct.pack('=4Q2I', 2, 0, 100, 100, 0, 0) + attributes(2)
        elif code == 3:
            answer = struct.pack('=Q2I', 100, 0, 0) + attributes(node)
        elif code == 14:
            answer = struct.pack('=Q2I', 1, 0, 0)
        elif code == 25:
            print('closing', flush=True)
            continue
        elif code == 2:
            continue
        elif code != 18:
            error = -38
        os.write(device, struct.pack('=IiQ', 16 + len(answer), error, number) + answer)
    """

  let path: String
  private let server: Child
  private let output: String

  init(_ host: PrivateHost) throws {
    path = "\(host.folder)/\(UUID().uuidString)"
    output = path + ".out"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let target = open(output, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(target) }
    server = try Child(
      ["/usr/bin/python3", "-c", Self.script, path], environment: ["PATH": "/usr/bin:/bin"],
      output: target, error: output + ".err")
    guard waits(for: "mounted", 1) else {
      throw PrivateHost.Missing("no file system of FUSE: \(PrivateHost.text(output + ".err"))")
    }
  }

  deinit { end() }

  /// Closes what is being closed.
  func end() {
    server.end()
    umount2(path, Int32(MNT_DETACH))
  }

  /// Waits until so many files are being closed.
  func waitForClosing(_ count: Int) throws {
    guard waits(for: "closing", count) else { throw PrivateHost.Missing("no file is closed") }
  }

  private func waits(for word: String, _ count: Int) -> Bool {
    for _ in 0..<2500 {
      let lines = PrivateHost.text(output).split(separator: "\n")
      if lines.filter({ $0 == word }).count >= count { return true }
      guard server.isRunning else { return false }
      usleep(2000)
    }
    return false
  }
}
