import Foundation
import TestHost

/// The system calls of this machine and the groups of systemd.
struct SystemCalls {
  let numbers: [String: UInt32]
  private let groups: [String: [String]]

  init(_ host: PrivateHost) throws {
    let header = "\(host.folder)/calls.h"
    try "#include <sys/syscall.h>\n".write(toFile: header, atomically: false, encoding: .utf8)
    let defined = try host.run(["/usr/bin/gcc", "-dM", "-E", header]).output
    var numbers: [String: UInt32] = [:]
    for line in defined.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words.count == 3, words[1].hasPrefix("__NR_") {
        numbers[String(words[1].dropFirst(5))] = UInt32(words[2])
      }
    }
    self.numbers = numbers
    var groups: [String: [String]] = [:]
    var group = ""
    let listed = try host.run(["/usr/bin/systemd-analyze", "--no-pager", "syscall-filter"]).output
    for line in listed.split(separator: "\n") where !line.isEmpty {
      let word = line.trimmingCharacters(in: .whitespaces)
      if word.hasPrefix("#") { continue }
      if line.hasPrefix("@") { group = word } else { groups[group, default: []].append(word) }
    }
    self.groups = groups
    guard let known = groups["@known"], known.count > 100, numbers.count > 100 else {
      throw PrivateHost.Missing("the system calls cannot be listed")
    }
  }

  /// The calls of a name or a group that this machine has.
  func numbers(of name: String) throws -> Set<UInt32> {
    guard name.hasPrefix("@") else { return numbers[name].map { [$0] } ?? [] }
    guard let members = groups[name] else { throw PrivateHost.Missing("no group \(name)") }
    return try members.reduce(into: []) { $0.formUnion(try numbers(of: $1)) }
  }
}
