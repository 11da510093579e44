import Foundation
import Glibc
import TestHost

/// Sets of prints of one finger, of which one at a time is root's. Putting a set back brings the
/// very bytes, name and time of before, in one step.
final class PrintSets {
  private let source: String
  private let target: String
  private(set) var current = 0
  static let count = 4

  init(_ host: PrivateHost) throws {
    source = "\(host.folder)/sets"
    let folder = "\(host.folder(ofPrintsOf: "root"))/virtual/0"
    for path in [source, folder] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    target = "\(folder)/7"
    for index in 0..<Self.count {
      let path = "\(source)/\(index)"
      try "print \(index)".write(toFile: path, atomically: false, encoding: .utf8)
      var times = [
        timespec(tv_sec: 1_700_000_000 + index, tv_nsec: 123_456_789),
        timespec(tv_sec: 1_700_000_000 + index, tv_nsec: 123_456_789),
      ]
      guard utimensat(AT_FDCWD, path, &times, 0) == 0 else { throw PrivateHost.Missing("utimens") }
    }
    try put(0)
  }

  func put(_ index: Int) throws {
    let partial = "\(source)/next"
    unlink(partial)
    // A second name of the same file keeps every byte and time.
    guard link("\(source)/\(index)", partial) == 0, rename(partial, target) == 0
    else { throw PrivateHost.Missing("the prints cannot be put there: \(errno)") }
    // Two names of one file are left as they are by a rename.
    unlink(partial)
    current = index
  }
}
