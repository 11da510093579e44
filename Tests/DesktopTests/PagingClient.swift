import TestHost
import Wire

/// A program of the person's that asks, on one connection, for whatever it likes.
final class PagingClient {
  private static let script = """
    import socket, sys
    server = socket.socket(socket.AF_UNIX)
    server.connect(sys.argv[1])
    def get(count):
        data = b''
        while len(data) < count:
            piece = server.recv(count - len(data))
            if not piece: sys.exit('closed')
            data += piece
        return data
    print('ready', flush=True)
    for line in sys.stdin:
        server.sendall(bytes.fromhex(line))
        print('[' + get(int.from_bytes(get(4), 'big')).hex() + ']', flush=True)
    """

  private let terminal: Terminal

  init(_ host: PrivateHost) throws {
    terminal = try host.terminal(
      program: ["/usr/bin/python3", "-S", "-c", Self.script, host.socket], user: Desktop.user)
    try terminal.expect("ready")
    guard case .hello = try send(.hello(ClientHello())) else {
      throw PrivateHost.Missing("no hello")
    }
  }

  /// The answer, or why there is none.
  func ask(_ operation: Wire.Operation) throws -> Result<Reply, Failure> {
    switch try send(.request(Request(operation, allowsInteraction: false))) {
    case .done(let reply): return .success(reply)
    case .failed(let failure): return .failure(failure)
    case let other: throw PrivateHost.Missing("\(other)")
    }
  }

  private func send(_ message: ClientMessage) throws -> ServerMessage {
    let frame = FrameHeader.frame(message.encoded)
    terminal.type(frame.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "\n")
    try terminal.expect("]")
    let output = terminal.output.prefix(through: terminal.output.lastIndex(of: "]")!)
    let digits = output.split(separator: "[").last?.dropLast() ?? ""
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(digits.dropFirst($0).prefix(2), radix: 16)
    }
    return try ServerMessage(bytes)
  }
}
