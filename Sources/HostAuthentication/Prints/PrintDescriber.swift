import Linux
import SecretMemory
import Wire

/// Asks a print reader what is in a print: the daemon hands it the bytes and parses nothing.
public final class PrintDescriber {
  private static let limit: UInt64 = 2000

  private let loop: any EventLoop
  private let socket: String
  private var running: [ObjectIdentifier: HelperConnection] = [:]

  /// - Parameter socket: the print reader's.
  public init(loop: any EventLoop, socket: String) {
    self.loop = loop
    self.socket = socket
  }

  /// - Parameter completion: once, on the loop; nil when there is no answer within 2 seconds or
  ///   the bytes are no print.
  public func describe(_ print: SecretBytes, _ completion: @escaping (PrintFacts?) -> Void) {
    var id: ObjectIdentifier?
    let connection = try? HelperConnection(loop: loop, path: socket, limit: Self.limit) {
      [weak self] event in
      if let id { self?.running.removeValue(forKey: id)?.close() }
      if case .message(let message) = event,
        case .print(let facts) = try? PrintReaderReply(decoding: message)
      {
        completion(facts)
      } else {
        completion(nil)
      }
    }
    guard let connection else {
      loop.after(milliseconds: 0) { completion(nil) }
      return
    }
    id = ObjectIdentifier(connection)
    running[ObjectIdentifier(connection)] = connection
    connection.send(framing: print)
  }
}
