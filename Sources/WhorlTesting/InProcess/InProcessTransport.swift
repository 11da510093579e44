import Linux
import WhorlKit
import Wire

/// Frames from WhorlKit to the engine and back, on the caller's thread.
final class InProcessTransport: Transport {
  private let service: InProcessService

  init(service: InProcessService) {
    self.service = service
  }

  func connect() throws(KeychainError) -> any Connection {
    InProcessConnection(service, service.connect())
  }
}

/// Unchecked: the session is touched under the service's lock alone.
final class InProcessConnection: Connection, @unchecked Sendable {
  private let service: InProcessService
  private let session: InProcessSession

  init(_ service: InProcessService, _ session: InProcessSession) {
    self.service = service
    self.session = session
  }

  var isOpen: Bool { service.locked { session.isOpen } }

  func send(_ frames: [Frame]) throws(KeychainError) {
    guard isOpen else { throw KeychainError(.closed) }
    service.locked {
      for frame in frames { session.receive(frame) }
    }
  }

  func receive(
    watching descriptors: [Int32], until deadline: Int64
  ) throws(KeychainError) -> Arrival {
    while true {
      if let frame = service.locked({ session.nextFrame() }) { return .frame(frame) }
      guard isOpen else { throw KeychainError(.closed) }
      if let ready = Readiness.wait(descriptors, milliseconds: 0).first {
        return .readable(descriptors[ready])
      }
      switch service.locked({ session.play() }) {
      case .played: continue
      // Outside the lock, so that it can use the keychain itself.
      case .meanwhile(let body): body()
      case .nothing: return .timedOut
      }
    }
  }

  func close() {
    service.locked { session.close() }
  }
}
