import Foundation
import Glibc

/// A program on a terminal of its own, and the person at it.
public final class Terminal {
  private let master: Int32
  private let child: Child
  public private(set) var output = ""
  /// How much of the output was waited for already.
  private var seen = 0
  private var bytes: [UInt8] = []

  public var pid: pid_t { child.pid }

  init(_ words: [String], environment: [String: String], user: uid_t?) throws {
    var (master, slave): (Int32, Int32) = (-1, -1)
    guard openpty(&master, &slave, nil, nil, nil) == 0 else {
      throw PrivateHost.Missing("no terminal can be made")
    }
    _ = fcntl(master, F_SETFD, FD_CLOEXEC)
    _ = fcntl(slave, F_SETFD, FD_CLOEXEC)
    if let user { fchown(slave, user, user) }
    self.master = master
    defer { close(slave) }
    child = try Child(words, environment: environment, user: user, terminal: slave)
  }

  deinit {
    child.end()
    close(master)
  }

  /// Reads until the text appears after what was waited for before.
  public func expect(_ text: String, seconds: Double = 8) throws {
    let limit = Date().addingTimeInterval(seconds)
    while true {
      let rest = output.dropFirst(seen)
      if let range = rest.range(of: text) {
        seen = output.distance(from: output.startIndex, to: range.upperBound)
        return
      }
      guard Date() < limit else {
        throw PrivateHost.Missing("waited in vain for “\(text)” after \(output.debugDescription)")
      }
      if !pump(milliseconds: 20), !output.dropFirst(seen).contains(text) {
        throw PrivateHost.Missing("ended without “\(text)”: \(output.debugDescription)")
      }
    }
  }

  /// Whether the text appears within the time; for what must not.
  public func shows(_ text: String, within seconds: Double) -> Bool {
    (try? expect(text, seconds: seconds)) != nil
  }

  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Ctrl-C.
  public func interrupt() { type("\u{3}") }

  /// The exit status, or 128 plus the signal.
  public func status(seconds: Double = 10) throws -> Int32 {
    let limit = Date().addingTimeInterval(seconds)
    while child.isRunning {
      guard Date() < limit else {
        throw PrivateHost.Missing("it does not end: \(output.debugDescription)")
      }
      if !pump(milliseconds: 10) { usleep(2000) }
    }
    while pump(milliseconds: 0, onlyFull: true) {}
    return child.status(seconds: 1) ?? -1
  }

  /// - Returns: false at the end of the output.
  @discardableResult
  private func pump(milliseconds: Int32, onlyFull: Bool = false) -> Bool {
    var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, milliseconds) > 0 else { return !onlyFull }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(master, &buffer, buffer.count)
    guard count > 0 else { return false }
    bytes += buffer[..<count]
    output = String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    return true
  }
}
