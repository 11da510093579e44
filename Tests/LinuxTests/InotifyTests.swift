import Foundation
import Linux
import TemporaryFolder
import Testing

struct InotifyTests {
  private let folder: TemporaryFolder
  private let inotify: Inotify

  init() throws {
    folder = try TemporaryFolder()
    inotify = try Inotify()
  }

  @Test func `nothing happened, nothing is told`() throws {
    _ = try inotify.watchFolder(folder.path)
    #expect(inotify.read() == [])
    #expect(Readiness.wait([inotify.fileDescriptor], milliseconds: 0) == [])
  }

  @Test func `a changed entry is told by its name`() throws {
    let watch = try inotify.watchFolder(folder.path)
    try folder.write([1], to: "left-thumb")
    #expect(Readiness.wait([inotify.fileDescriptor], milliseconds: 1000) == [0])
    let events = inotify.read()
    #expect(events.contains { $0.watch == watch && $0.name == Array("left-thumb".utf8) })
  }

  @Test func `a new time stamp alone is told`() throws {
    try folder.write([1], to: "file")
    _ = try inotify.watchFolder(folder.path)
    #expect(utimes(folder("file"), nil) == 0)
    #expect(inotify.read().contains { $0.name == Array("file".utf8) })
  }

  @Test func `a folder that goes away is told`() throws {
    try FileManager.default.createDirectory(
      atPath: folder("inner"), withIntermediateDirectories: false)
    let watch = try inotify.watchFolder(folder("inner"))
    #expect(rmdir(folder("inner")) == 0)
    #expect(inotify.read().contains { $0.watch == watch && $0.isGone })
  }

  @Test func `a link is not watched`() throws {
    try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: "/etc")
    #expect(throws: SystemError.self) { try inotify.watchFolder(folder("link")) }
  }

  @Test func `lost events are told`() throws {
    let text = try File(reading: "/proc/sys/fs/inotify/max_queued_events").readAll(limit: 64)
    let limit = try #require(
      Int(
        String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)))
    _ = try inotify.watchFolder(folder.path)
    // Two names in turn, since equal events after each other are merged.
    try folder.write([], to: "a")
    try folder.write([], to: "b")
    for _ in 0...limit / 2 {
      utimes(folder("a"), nil)
      utimes(folder("b"), nil)
    }
    var isLost = false
    while true {
      let events = inotify.read()
      if events.isEmpty { break }
      isLost = isLost || events.contains(where: \.isOverflow)
    }
    #expect(isLost)
  }
}
