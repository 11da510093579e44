import CLinux

/// One request to the daemon: hello, perhaps a secret, the request, and then its answers.
struct Exchange: ~Copyable {
  private let socket: DaemonSocket
  private let deadline: Deadline

  /// Says hello and asks.
  ///
  /// - Returns: nil when there is no daemon, it is not root's, or it takes nothing.
  init?(
    _ socket: consuming DaemonSocket, _ login: Login, until deadline: Deadline, _ handle: Handle
  ) {
    guard socket.send(ModuleMessages.hello, until: deadline) else { return nil }
    if login.step.bringsSecret {
      // SAFETY: libpam's own memory, which stays for the length of the call.
      let isSent = unsafe handle.withToken { token in
        guard (1...ReceivedSecret.limit).contains(token.count) else { return false }
        let header = FrameHeader(secretCount: token.count).encoded
        return unsafe socket.send(header, until: deadline) && socket.send(token, until: deadline)
      }
      guard isSent == true else { return nil }
    }
    guard socket.send(ModuleMessages.request(login), until: deadline) else { return nil }
    self.socket = socket
    self.deadline = deadline
  }

  func send(_ frame: [UInt8]) -> Bool { socket.send(frame, until: deadline) }

  /// The next message; a secret before it goes to `secret`.
  ///
  /// - Parameter limit: how long it may be silent, where that is shorter than the deadline.
  /// - Returns: nil when nothing came in time, or nothing of this protocol.
  func next(within limit: Deadline? = nil, secret: inout ReceivedSecret?) -> ServerAnswer? {
    let limit = limit?.earlier(deadline) ?? deadline
    while true {
      guard let bytes = socket.receive(FrameHeader.count, until: limit),
        let header = try? FrameHeader(bytes.span)
      else { return nil }
      guard header.isSecret else {
        guard let body = socket.receive(header.bodyCount, until: limit) else { return nil }
        return ServerAnswer([header.type] + body)
      }
      // One secret at most, no longer than a password.
      guard secret == nil, let received = ReceivedSecret(count: header.bodyCount) else {
        return nil
      }
      // SAFETY: the memory belongs to `received`, which lives on.
      guard unsafe socket.receive(received.buffer, until: limit) else { return nil }
      secret = consume received
    }
  }
}
