import Glibc
import ScriptedServer
import SecretMemory
import TemporaryFolder
import Testing
import WhorlClient
import WhorlKit
import Wire

/// What a helper said is told to the service, however much of it came at once.
@Suite struct DesktopPrompterTests {
  @Test(arguments: [false, true, nil])
  func `an answer that arrives with the word that the prompt is shown does not replace it`(
    isTouchless: Bool?
  ) throws {
    let folder = try TemporaryFolder()
    let shown = isTouchless.map {
      FrameHeader.frame(ClientMessage.shown(prompt: 4, isTouchless: $0).encoded)
    }
    try folder.write(
      (shown ?? []) + FrameHeader(secretCount: 2).encoded + bytes("pw")
        + FrameHeader.frame(ClientMessage.answer(prompt: 4, .devicePasscode).encoded),
      to: "frames")
    try folder.write(
      bytes("#!/bin/sh\n/bin/cat '\(folder("frames"))'\nexec /bin/cat >/dev/null\n"), to: "helper")
    chmod(folder("helper"), 0o755)
    let server = ScriptedServer(
      .greeting + [
        .send(prompt(4)), .receive, .receive, .secret(bytes("s")),
        .send(.done(.secrets(count: 1))), .untilClosed,
      ])
    let keychain = Keychain(
      transport: PairTransport(server: server),
      prompter: DesktopPrompter(program: bytes(folder("helper"))))
    #expect(text(try keychain.read(token)) == "s")
    #expect(server.secrets == [bytes("pw")])
    // Without a word, no touch is taken for asked for.
    #expect(
      server.messages.suffix(2) == [
        .shown(prompt: 4, isTouchless: isTouchless ?? true),
        .answer(prompt: 4, .devicePasscode),
      ])
  }
}
