import Linux
import SecretMemory
import Transfer
import WhorlClient
import Wire

/// Files and streams that hold secrets, read into locked memory.
enum SecretFile {
  /// The longest, in bytes.
  private static let limit = 16 * 1024 * 1024

  static func standardInput() throws(CommandError) -> SecretBytes {
    var buffer = try bytes(4096)
    var count = 0
    while true {
      let from = count
      let taken = buffer.withMutableBytes {
        BlockingStream.standardInput.read(into: &$0, from: from)
      }
      guard let taken else { throw CommandError(status: 1, "cannot read the standard input") }
      if taken == 0 { return try part(of: buffer, 0..<count) }
      count += taken
      guard count < limit else { throw CommandError(status: 1, "the standard input is too long") }
      if count == buffer.count { buffer = try grown(buffer) }
    }
  }

  /// - Parameter path: a file, or `-` for the standard input.
  static func contents(_ path: [UInt8]) throws(CommandError) -> SecretBytes {
    if path == [UInt8(ascii: "-")] { return try standardInput() }
    do {
      let file = try File(reading: try text(path))
      let size = try file.size
      guard size <= limit else { throw CommandError(status: 1, "\(quoted(path)) is over 16 MiB") }
      let buffer = try bytes(size)
      let read = try buffer.withMutableBytes { bytes throws(SystemError) in
        try file.read(into: &bytes, at: 0)
      }
      return read == size ? buffer : try part(of: buffer, 0..<read)
    } catch let error as SystemError {
      throw CommandError(reading: path, error)
    } catch let error as CommandError {
      throw error
    } catch {
      throw CommandError(status: 1, "cannot read \(quoted(path))")
    }
  }

  /// The path as the functions of files take it.
  static func text(_ path: [UInt8]) throws(CommandError) -> String {
    guard let text = String(validating: path, as: UTF8.self), !path.contains(0) else {
      throw CommandError(status: 1, "\(quoted(path)): the name of the file is no UTF-8")
    }
    return text
  }

  static func part(of secret: SecretBytes, _ range: Range<Int>) throws(CommandError) -> SecretBytes
  {
    let part = try bytes(range.count)
    secret.withBytes { secret in
      part.withMutableBytes { part in
        for index in part.indices { part[index] = secret[range.lowerBound + index] }
      }
    }
    return part
  }

  private static func grown(_ old: SecretBytes) throws(CommandError) -> SecretBytes {
    let new = try bytes(old.count * 2)
    old.withBytes { old in
      new.withMutableBytes { new in for index in old.indices { new[index] = old[index] } }
    }
    return new
  }

  static func bytes(_ count: Int) throws(CommandError) -> SecretBytes {
    guard let bytes = try? SecretBytes(count: count) else {
      throw CommandError(status: FailureCode.busy.exitStatus, "no memory is left for the secret")
    }
    return bytes
  }
}

extension CommandError {
  init(reading path: [UInt8], _ error: SystemError) {
    let reason =
      error.isMissing
      ? "there is no such file"
      : error.isWrongKind ? "a link, which is not followed" : "cannot be read"
    self.init(status: 1, "\(quoted(path)): \(reason)")
  }
}
