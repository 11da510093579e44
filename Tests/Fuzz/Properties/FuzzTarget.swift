/// A parser of bytes from outside, and what must hold for it whatever the bytes are.
struct FuzzTarget: Sendable {
  /// Also the name of the folder of its corpus.
  let name: String
  /// Throws where a rule does not hold. A trap breaks one too.
  let check: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    .accessControlBinary, .accessControlText, .arguments, .auditLog, .backup, .clientExchange,
    .clientMessage, .clientStream, .commandOutput, .configuration, .displayText,
    .enrollmentDigest, .environmentFile, .fprintdConfiguration, .generationFile, .generationNote,
    .generationSlot, .itemName, .itemStore, .keyFiles, .keychain, .passEntry, .passcodeBackoff,
    .passwordTable, .pinentry, .printFolder, .printReaderReply, .privateKey, .processFacts,
    .promptText,
    .sealedItem, .secretLine, .serverMessage, .sessionFacts, .sessionStream, .workerReply,
    .workerRequest, .workerStream,
  ]
}

/// A rule that does not hold.
struct Violation: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// - Throws: ``Violation`` unless the condition holds.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) throws {
  guard condition else { throw Violation(rule()) }
}
