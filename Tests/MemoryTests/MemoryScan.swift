import Foundation
import Glibc
import TestHost

// The headers hide it without _GNU_SOURCE.
@_silgen_name("memmem") private func find(
  _ bytes: UnsafeRawPointer, _ count: Int, _ needle: UnsafeRawPointer, _ needleCount: Int
) -> UnsafeMutableRawPointer?

/// Looks for bytes in the memory of another process, as root.
///
/// By /proc/PID/mem and not by a core file, which leaves out what must not be dumped.
struct MemoryScan {
  struct Hit: CustomStringConvertible {
    let needle: Needle
    let address: UInt
    /// The line of /proc/PID/maps.
    let mapping: String

    var description: String { "\(needle.name) at \(String(address, radix: 16)) in \(mapping)" }
  }

  private static let chunk = 4 * 1024 * 1024

  let pid: pid_t

  /// Every place of every needle.
  func hits(_ needles: [Needle]) throws -> [Hit] {
    let memory = open("/proc/\(pid)/mem", O_RDONLY | O_CLOEXEC)
    guard memory >= 0 else { throw PrivateHost.Missing("/proc/\(pid)/mem: errno \(errno)") }
    defer { close(memory) }
    let overlap = (needles.map(\.bytes.count).max() ?? 1) - 1
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.chunk + overlap, alignment: 64)
    defer { buffer.deallocate() }
    var hits: [Hit] = []
    for (line, range) in try mappings() {
      var start = range.lowerBound
      while start < range.upperBound {
        let count = pread(
          memory, buffer.baseAddress, min(buffer.count, Int(range.upperBound - start)),
          off_t(start))
        // What the kernel does not give out, such as pages of a device.
        guard count > 0 else { break }
        for needle in needles {
          for offset in Self.places(of: needle.bytes, in: UnsafeRawBufferPointer(buffer)[..<count])
          where offset < Self.chunk {
            hits.append(Hit(needle: needle, address: start + UInt(offset), mapping: line))
          }
        }
        start += UInt(min(count, Self.chunk))
      }
    }
    return hits
  }

  /// The mappings that are locked and left out of dumps: what an arena may be made of.
  func lockedMappings() throws -> [Range<UInt>] {
    var mappings: [Range<UInt>] = []
    var last: Range<UInt>?
    for line in try lines("smaps") {
      if let range = Self.range(line) {
        last = range
      } else if let range = last, line.hasPrefix("VmFlags:"),
        Set(line.split(separator: " ")).isSuperset(of: ["lo", "dd"])
      {
        mappings.append(range)
      }
    }
    return mappings
  }

  private func mappings() throws -> [(String, Range<UInt>)] {
    try lines("maps").compactMap { line in
      guard !line.contains("[vvar"), !line.contains("[vsyscall") else { return nil }
      return Self.range(line).map { (line, $0) }
    }
  }

  /// Read to the end: the kernel gives such a file a page at a time and no size.
  private func lines(_ name: String) throws -> [String] {
    guard let file = FileHandle(forReadingAtPath: "/proc/\(pid)/\(name)"),
      let bytes = try file.readToEnd()
    else { throw PrivateHost.Missing("/proc/\(pid)/\(name)") }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func range(_ line: String) -> Range<UInt>? {
    let bounds = line.prefix { $0 != " " }.split(separator: "-")
    guard bounds.count == 2, let start = UInt(bounds[0], radix: 16),
      let end = UInt(bounds[1], radix: 16)
    else { return nil }
    return start..<end
  }

  private static func places(of needle: [UInt8], in bytes: Slice<UnsafeRawBufferPointer>) -> [Int] {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    var places: [Int] = []
    var start = 0
    while start < bytes.count,
      let found = find(bytes.baseAddress! + start, bytes.count - start, needle, needle.count)
    {
      let place = found - UnsafeMutableRawPointer(mutating: bytes.baseAddress!)
      places.append(place)
      // Enough to tell where it lies; a large secret repeats its needle.
      start = (place / 4096 + 1) * 4096
    }
    return places
  }
}
