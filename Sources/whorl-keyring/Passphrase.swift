import SecretMemory
import Transfer
import WhorlClient
import Wire

/// The passphrase of a backup: typed, or the standard input to its end.
enum Passphrase {
  static func new(_ arguments: Arguments) throws(CommandError) -> SecretBytes {
    guard SecretInput.willAsk else { return try piped(arguments) }
    return try SecretInput.typedTwice(
      "Passphrase of the backup: ", "the two passphrases differ", empty: empty, arguments)
  }

  static func old(_ arguments: Arguments) throws(CommandError) -> SecretBytes {
    guard SecretInput.willAsk else { return try piped(arguments) }
    guard !arguments.has("no-interaction") else {
      throw CommandError(KeychainError(.interactionNotAllowed))
    }
    return try nonEmpty(SecretInput.typed("Passphrase of the backup: ", TerminalPrompter()))
  }

  private static func piped(_ arguments: Arguments) throws(CommandError) -> SecretBytes {
    let input = try SecretFile.standardInput()
    let last = input.count - 1
    let ends = last >= 0 && input.withBytes { $0[last] == UInt8(ascii: "\n") }
    return try nonEmpty(ends ? SecretFile.part(of: input, 0..<last) : input)
  }

  private static func nonEmpty(_ secret: SecretBytes) throws(CommandError) -> SecretBytes {
    guard secret.count > 0 else { throw empty }
    return secret
  }

  private static var empty: CommandError { CommandError(BackupError.empty) }
}
