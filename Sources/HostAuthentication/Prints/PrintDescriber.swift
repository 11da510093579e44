import Linux
import SecretMemory
import Wire

/// Asks a print reader what is in a print: the daemon hands it the bytes and parses nothing.
public final class PrintDescriber {
  private static let limit: UInt64 = 2000

  public enum Answer: Equatable, Sendable {
    case print(PrintFacts)
    /// The bytes are no print that libfprint knows.
    case notAPrint
    /// The print reader did not answer within 2 seconds: nothing is known.
    case none
  }

  private let loop: any EventLoop
  private let socket: String
  private var running: [ObjectIdentifier: HelperConnection] = [:]

  /// - Parameter socket: the print reader's.
  public init(loop: any EventLoop, socket: String) {
    self.loop = loop
    self.socket = socket
  }

  /// - Parameter completion: once, on the loop.
  public func describe(_ print: SecretBytes, _ completion: @escaping (Answer) -> Void) {
    var id: ObjectIdentifier?
    let connection = try? HelperConnection(loop: loop, path: socket, limit: Self.limit) {
      [weak self] event in
      if let id { self?.running.removeValue(forKey: id)?.close() }
      guard case .message(let message) = event,
        let reply = try? PrintReaderReply(decoding: message)
      else { return completion(.none) }
      switch reply {
      case .print(let facts): completion(.print(facts))
      case .notAPrint: completion(.notAPrint)
      }
    }
    guard let connection else {
      loop.after(milliseconds: 0) { completion(.none) }
      return
    }
    id = ObjectIdentifier(connection)
    running[ObjectIdentifier(connection)] = connection
    connection.send(framing: print)
  }
}
