import Foundation
import Testing

/// The mappings of this process, as the kernel lists them.
enum Mapping {
  /// The two-letter flags of the mapping that holds an address.
  static func flags(of address: UInt) throws -> Set<String> {
    // Read to the end: the kernel gives such a file a page at a time and no size.
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
    let text = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
    var isInside = false
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      let bounds = words[0].split(separator: "-")
      if bounds.count == 2, let start = UInt(bounds[0], radix: 16),
        let end = UInt(bounds[1], radix: 16)
      {
        isInside = (start..<end).contains(address)
      } else if isInside, words[0] == "VmFlags:" {
        return Set(words.dropFirst().map(String.init))
      }
    }
    Issue.record("no mapping holds the address")
    return []
  }
}
