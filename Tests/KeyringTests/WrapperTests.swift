import Foundation
import Glibc
import SecretMemory
import SecretService
import TestHost
import Testing

/// The wrapper of libsecret, in this process.
@Suite(.serialized) struct WrapperTests {
  private let keyring: PrivateKeyring
  private let service: Keyring

  init() throws {
    keyring = try PrivateKeyring(try PrivateHost(), user: nil)
    setenv("DBUS_SESSION_BUS_ADDRESS", keyring.busAddress, 1)
    service = try Keyring(limit: 5000)
  }

  private func pairs(_ words: String...) -> [(name: [UInt8], value: [UInt8])] {
    stride(from: 0, to: words.count, by: 2).map {
      (Array(words[$0].utf8), Array(words[$0 + 1].utf8))
    }
  }

  private func store(_ secret: [UInt8], replacing: Bool) throws {
    try service.store(
      label: Array("a label".utf8), attributes: pairs("a", "b", "ключ", ""),
      secret: try SecretBytes(copying: secret.span), replacing: replacing,
      in: try service.collection())
  }

  private func bytes(_ item: KeyringItem) throws -> [UInt8] {
    try service.secret(of: item).bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  @Test func `an item is stored, found, replaced, deleted; locked and gone are told`() throws {
    try store([0, 1, 0xff, 0], replacing: false)
    try store([2], replacing: true)
    let found = try service.items(matching: pairs("a", "b"))
    #expect(found.count == 1)
    let item = try #require(found.first)
    #expect(item.label == Array("a label".utf8) && !item.isLocked && item.modified > 0)
    #expect(item.attributes.first { $0.name == Array("ключ".utf8) }?.value == [])
    #expect(try bytes(item) == [2])
    try store([0, 1, 0xff, 0], replacing: false)
    try store([], replacing: false)
    let three = try service.items(matching: pairs("a", "b"))
    #expect(Set(try three.map(bytes)) == [[2], [0, 1, 0xff, 0], []])
    #expect(try service.items(matching: pairs("a", "c")).isEmpty)

    try service.delete(item)
    #expect(throws: KeyringError.missing) { try service.delete(item) }
    #expect(throws: KeyringError.missing) { try service.secret(of: item) }
    #expect(try service.items(matching: []).count == 2)

    let left = try #require(three.first { $0.path != item.path })
    keyring.stopDaemon(signal: SIGSTOP)
    #expect(throws: KeyringError.timedOut) { try service.secret(of: left) }
    keyring.stopDaemon(signal: SIGKILL)
    do throws(KeyringError) {
      _ = try service.items(matching: [])
      Issue.record("a dead service answered")
    } catch { #expect([.noService, .gone].contains(error)) }
    #expect(throws: KeyringError.noService) { _ = try Keyring(limit: 5000) }
  }
}
