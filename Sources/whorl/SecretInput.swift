import Linux
import SecretMemory
import WhorlClient
import Wire

/// Takes a secret from the person or the standard input, never from the command line.
enum SecretInput {
  /// Whether a secret is typed, and not read.
  static var willAsk: Bool { BlockingStream.standardInput.isTerminal }

  /// Standard input to its end, byte for byte; on a terminal, two prompts that must agree.
  static func secret(named name: [UInt8], _ arguments: Arguments) throws(CommandError)
    -> SecretBytes
  {
    // More often an unset variable or a failed command than what was wanted.
    let refusal =
      arguments.has("empty")
      ? nil
      : CommandError(
        status: FailureCode.badParameter.exitStatus, "the secret is empty, so nothing was stored",
        advice: ["With --empty it is stored all the same."])
    guard !willAsk else {
      return try typedTwice(
        "Secret of \(quoted(name)): ", "the two secrets differ", empty: refusal, arguments)
    }
    let secret = try standardInput()
    if let refusal, isEmpty(secret) { throw refusal }
    return secret
  }

  /// Whether there is nothing, or only the newline that `echo` ends nothing with.
  private static func isEmpty(_ secret: SecretBytes) -> Bool {
    secret.withBytes { $0.count == 0 || $0.count == 1 && $0[0] == UInt8(ascii: "\n") }
  }

  static func applicationPassword(_ arguments: Arguments) throws(CommandError) -> SecretBytes {
    try typedTwice(
      "Password of the item itself: ", "the two passwords differ",
      empty: CommandError(status: FailureCode.badParameter.exitStatus, "nothing was typed"),
      arguments)
  }

  /// - Parameter empty: what Enter alone is, of which then no second time is asked for.
  static func typedTwice(
    _ question: String, _ difference: String, empty: CommandError?, _ arguments: Arguments
  ) throws(CommandError) -> SecretBytes {
    guard !arguments.has("no-interaction") else {
      throw CommandError(KeychainError(.interactionNotAllowed))
    }
    let prompter = TerminalPrompter()
    let first = try typed(question, prompter)
    if let empty, first.count == 0 { throw empty }
    let second = try typed("The same again: ", prompter)
    guard isEqual(first, second) else { throw CommandError(status: 1, difference) }
    return first
  }

  static func typed(
    _ question: String, _ prompter: TerminalPrompter
  ) throws(CommandError) -> SecretBytes {
    switch prompter.readSecret(question) {
    case .secret(let secret): return secret
    case .cancelled: throw CommandError(KeychainError(.cancelled))
    case .nobody: throw CommandError(KeychainError(.interactionNotAllowed))
    case .tooLong:
      throw CommandError(
        status: FailureCode.badParameter.exitStatus,
        "what is typed is \(TypedSecret.limit) bytes at most",
        advice: ["A longer secret comes from the standard input, as of a file or a pipe."])
    }
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
