import Foundation
import Linux
import TemporaryFolder
import Testing

struct FolderHandleTests {
  private let folder: TemporaryFolder
  private let handle: FolderHandle

  init() throws {
    folder = try TemporaryFolder()
    handle = try FolderHandle(path: folder.path)
  }

  @Test func `names are sorted by their bytes, and need not be text`() throws {
    let names: [[UInt8]] = [[0x41], [0x61], [0xff, 0xfe], [0xff, 0xff]]
    for name in names.reversed() {
      let path = folder.path.utf8.map { CChar(bitPattern: $0) } + [0x2f]
      let raw = open(path + name.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
      #expect(raw >= 0)
      close(raw)
    }
    #expect(try handle.names(limit: names.count) == names)
    // A second look starts at the beginning again.
    #expect(try handle.names(limit: names.count) == names)
  }

  @Test func `no name leads out of the folder`() {
    for name in ["", ".", "..", "a/b", "/etc", "a\0b"] {
      #expect(throws: SystemError.self) { try handle.file(Array(name.utf8)) }
      #expect(throws: SystemError.self) { try handle.folder(Array(name.utf8)) }
      #expect(throws: SystemError.self) { try handle.kind(Array(name.utf8)) }
    }
  }

  @Test func `a link is seen as what it is, and not followed`() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder("link"), withDestinationPath: "/etc")
    let name = Array("link".utf8)
    #expect(try handle.kind(name) == .other)
    let error = #expect(throws: SystemError.self) { try handle.folder(name) }
    #expect(error?.isWrongKind == true)
    #expect(throws: SystemError.self) { try handle.file(name) }
  }

  @Test func `a pipe nobody writes to keeps no one waiting`() throws {
    #expect(mkfifo(folder("pipe"), 0o600) == 0)
    let file = try handle.file(Array("pipe".utf8))
    #expect(FileFacts(descriptor: file.raw)?.kind == .other)
  }

  @Test func `a folder stays the one that was opened when its name leads elsewhere`() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder("a"), withIntermediateDirectories: false)
    try folder.write([1], to: "a/x")
    let opened = try handle.folder(Array("a".utf8))
    try files.moveItem(atPath: folder("a"), toPath: folder("b"))
    try files.createSymbolicLink(atPath: folder("a"), withDestinationPath: "/etc")
    #expect(try opened.names(limit: 9) == [Array("x".utf8)])
  }
}
