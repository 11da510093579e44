import SecretMemory

/// One frame of the socket: a message, its type byte first, or a secret.
public enum Frame: Sendable {
  case message([UInt8])
  case secret(SecretBytes)
}
