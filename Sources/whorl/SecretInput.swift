import Linux
import SecretMemory
import WhorlClient
import Wire

/// Takes a secret from the person or the standard input, never from the command line.
enum SecretInput {
  /// Standard input to its end, byte for byte; on a terminal, two prompts that must agree.
  static func secret(named name: [UInt8], _ arguments: Arguments) throws(CommandError)
    -> SecretBytes
  {
    guard BlockingStream.standardInput.isTerminal else { return try standardInput() }
    return try typedTwice(
      "Secret of \(quoted(name)): ", "The same again: ", "the two secrets differ", arguments)
  }

  static func applicationPassword(_ arguments: Arguments) throws(CommandError) -> SecretBytes {
    try typedTwice(
      "Password of the item itself: ", "The same again: ", "the two passwords differ", arguments)
  }

  private static func typedTwice(
    _ question: String, _ again: String, _ difference: String, _ arguments: Arguments
  ) throws(CommandError) -> SecretBytes {
    let prompter = TerminalPrompter()
    guard prompter.isAvailable, !arguments.has("no-interaction") else {
      throw CommandError(
        KeychainError(.interactionNotAllowed))
    }
    guard let first = prompter.readSecret(question), let second = prompter.readSecret(again) else {
      throw CommandError(KeychainError(.cancelled))
    }
    guard isEqual(first, second) else { throw CommandError(status: 1, difference) }
    guard first.count > 0 else { throw CommandError(status: 1, "nothing was typed") }
    return first
  }

  private static func isEqual(_ left: SecretBytes, _ right: SecretBytes) -> Bool {
    guard left.count == right.count else { return false }
    return left.withBytes { left in
      right.withBytes { right in left.indices.allSatisfy { left[$0] == right[$0] } }
    }
  }

  private static func standardInput() throws(CommandError) -> SecretBytes {
    var buffer = try bytes(4096)
    var count = 0
    while true {
      let from = count
      let taken = buffer.withMutableBytes {
        BlockingStream.standardInput.read(into: &$0, from: from)
      }
      guard let taken else { throw CommandError(status: 1, "cannot read the standard input") }
      if taken == 0 { break }
      count += taken
      guard count <= Limits.secret else {
        throw CommandError(
          status: FailureCode.badParameter.exitStatus, "a secret is 1 MiB at most")
      }
      if count == buffer.count { buffer = try copy(buffer, count, into: bytes(count * 2)) }
    }
    let secret = try copy(buffer, count, into: bytes(count))
    let last = count - 1
    if count > 0, secret.withBytes({ $0[last] == UInt8(ascii: "\n") }) {
      Output.error("whorl: note: the secret ends in a newline, which is kept")
    }
    return secret
  }

  private static func bytes(_ count: Int) throws(CommandError) -> SecretBytes {
    guard let bytes = try? SecretBytes(count: count) else {
      throw CommandError(status: FailureCode.busy.exitStatus, "no memory is left for the secret")
    }
    return bytes
  }

  private static func copy(_ old: SecretBytes, _ count: Int, into new: SecretBytes) -> SecretBytes {
    old.withBytes { old in
      new.withMutableBytes { new in for index in 0..<count { new[index] = old[index] } }
    }
    return new
  }
}
