import Foundation
import Linux
import TemporaryFolder
import Testing

struct FileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 100_000])
  func `the whole of a file is read`(_ count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    try folder.write(bytes, to: "file")
    #expect(try File(reading: folder("file")).readAll(limit: 100_000) == bytes)
    #expect(try File(reading: folder("file")).readAll(limit: count) == bytes)
  }

  @Test(arguments: [1, 4096, 5000])
  func `a file over the limit is not read`(_ limit: Int) throws {
    try folder.write([UInt8](repeating: 1, count: limit + 1), to: "file")
    let error = #expect(throws: SystemError.self) {
      try File(reading: folder("file")).readAll(limit: limit)
    }
    #expect(error?.code == EFBIG)
  }

  @Test func `a file of the kernel's, which has no size, is read`() throws {
    let text = try File(reading: "/proc/sys/kernel/overflowuid").readAll(limit: 64)
    #expect(
      Int(String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
        != nil)
  }

  @Test func `a link is not followed`() throws {
    try folder.write([1], to: "file")
    try FileManager.default.createSymbolicLink(
      atPath: folder("link"), withDestinationPath: folder("file"))
    let error = #expect(throws: SystemError.self) { try File(reading: folder("link")) }
    #expect(error?.isWrongKind == true)
    #expect(throws: SystemError.self) { try File(appendingTo: folder("link"), mode: 0o600) }
  }

  @Test func `a file that exists is not made again`() throws {
    _ = try File(creating: folder("file"), mode: 0o600)
    let error = #expect(throws: SystemError.self) {
      try File(creating: folder("file"), mode: 0o600)
    }
    #expect(error?.code == EEXIST)
  }

  @Test func `a write in place changes those bytes and no others`() throws {
    try folder.write([1, 2, 3, 4], to: "file")
    let file = try File(reading: folder("file"), writing: true)
    let bytes: [UInt8] = [8, 9]
    try file.write(bytes.span, at: 1)
    try file.syncData()
    #expect(try file.readAll(limit: 10) == [1, 8, 9, 4])
  }

  @Test func `space taken beforehand reads as zeros`() throws {
    let file = try File(creating: folder("file"), mode: 0o600)
    try file.allocate(10)
    #expect(try file.readAll(limit: 10) == [UInt8](repeating: 0, count: 10))
  }

  @Test func `records go to the end, whoever wrote before`() throws {
    let first = try File(appendingTo: folder("log"), mode: 0o600)
    let second = try File(appendingTo: folder("log"), mode: 0o600)
    try first.append([1])
    try second.append([2])
    try first.append([3])
    #expect(try first.readAll(limit: 10) == [1, 2, 3])
  }
}
