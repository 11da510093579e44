import AccessControl
import Foundation
import TestHost
import Testing
import Wire

/// Text from a hostile client, on its way to people.
@Suite(.serialized) final class TextTests {
  private static let evil =
    "e\u{1b}[31m\u{1b}]0;t\u{7}\r\n\u{9b}2J\u{202e}\u{2066}\u{200b}\u{2028}<b>&amp;\u{8}\u{0}x"
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.plain()
  }

  /// Whether nothing in the text acts on a terminal, moves other text, or is markup.
  private func isHarmless(_ text: String) -> Bool {
    !text.contains("<") && !text.contains("&amp")
      && text.unicodeScalars.allSatisfy { scalar in
        let category = scalar.properties.generalCategory
        return scalar == "\n"
          || ![.control, .format, .lineSeparator, .paragraphSeparator].contains(category)
            && !scalar.properties.isBidiControl
      }
  }

  private func item(_ group: String = evil) -> ItemIdentity {
    let evil = Array(Self.evil.utf8)
    return ItemIdentity(group: Array(group.utf8), service: evil, account: evil)
  }

  private func store(_ item: ItemIdentity, _ attributes: Attributes = Attributes()) throws {
    let client = try RawClient(host)
    let new = NewItem(
      identity: item, attributes: attributes, accessControl: Raw.control("devicePasscode"))
    client.send(
      Raw.hello + Raw.secret("x")
        + Raw.frame(.request(Request(.add(new, replacing: false)))))
    #expect(client.outcome() == .done)
  }

  @Test func `what a client says of itself and its item reaches those who wait only escaped`()
    throws
  {
    try store(item())
    try host.store("mine", "devicePasscode")
    let evil = Array(Self.evil.utf8)
    let head = try RawClient(host)
    head.send(
      .hello(ClientHello(groups: [evil], via: evil)),
      .request(Request(.read([item()]), reason: evil)))
    _ = try head.show()
    let waiting = try host.terminal(["read", "mine"])
    try waiting.expect("first: a touch now serves that.")
    #expect(isHarmless(waiting.output), "\(waiting.output.debugDescription)")
    #expect(waiting.output.split(separator: "\n").count == 1)
    #expect(waiting.output.contains(#"\u{1b}[31m"#))
    head.leave()
    try waiting.expect("Type your password: ")
    waiting.type("\(PrivateHost.password)\n")
    #expect(try waiting.status() == 0)
    #expect(isHarmless(waiting.output), "\(waiting.output.debugDescription)")
  }

  @Test func `labels, attributes and groups reach a terminal only escaped`() throws {
    var attributes = Attributes()
    for name in ["labl", "desc", "icmt", Self.evil] { attributes[name] = Array(Self.evil.utf8) }
    try store(item(), attributes)
    try store(item("whorl"), attributes)
    let name = Self.evil.replacingOccurrences(of: "\u{0}", with: "")
    for arguments in [
      ["list"], ["list", "--json"], ["list", "--group", Self.evil.filter { $0 != "\u{0}" }],
      ["log"], ["log", "--json"], ["status"], ["show", "\(name)/\(name)"], ["rm", name],
      ["read", name],
    ] {
      let result = try host.whorl(arguments)
      let text = result.output + result.error
      let isJSON = arguments.contains("--json")
      #expect(
        isHarmless(isJSON ? text.replacing("<", with: "").replacing("&", with: "") : text),
        "\(arguments): \(text.debugDescription)")
    }
    #expect(try host.whorl(["list"]).output.split(separator: "\n").count == 2)
  }

  @Test func `names that fill a request fit in its prompt and in the record`() throws {
    let long = [UInt8](repeating: 0x6e, count: 4000)
    let items = (0..<8).map { index in
      ItemIdentity(group: [], service: long + [UInt8(index)], account: index < 7 ? long : [])
    }
    for item in items { try store(item) }
    let client = try RawClient(host)
    client.send(
      .hello(ClientHello(via: [UInt8](repeating: 0x76, count: 1024))),
      .request(Request(.read(items), reason: [UInt8](repeating: 0x72, count: 1024))))
    let prompt = try client.show()
    #expect(prompt.items.count == items.count)
    client.type(PrivateHost.password, at: prompt.id)
    #expect(client.outcome() == .secrets(items.map { _ in "x" }))
    #expect(try host.records(16).count == 16)
  }

  @Test func `no flood of refusals pushes a release out of the record`() throws {
    try host.store("gated", "devicePasscode")
    let client = try RawClient(host)
    client.ask(.read([Raw.item("gated")]))
    client.type(PrivateHost.password, at: try client.show().id)
    #expect(client.outcome() == .secrets([PrivateHost.secret]))
    let long = [UInt8](repeating: 0x6e, count: 4000)
    let absent = ItemIdentity(group: [], service: long, account: long)
    let flood = Raw.frame(.request(Request(.read([absent]))))
    let flooder = try RawClient(host)
    flooder.send(Raw.hello)
    for _ in 0..<50 {
      flooder.send((0..<10).flatMap { _ in flood })
      for _ in 0..<10 { #expect(flooder.outcome() == .failed(.notFound)) }
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(host.state)/audit")
    let kept = try files.filter { $0.hasPrefix("\(PrivateHost.games).log") }.map {
      try Data(contentsOf: URL(fileURLWithPath: "\(host.state)/audit/\($0)"))
    }
    #expect(kept.contains { $0.range(of: Data("gated".utf8)) != nil })
    #expect(kept.map(\.count).reduce(0, +) < 4 * 1024 * 1024)
  }
}
