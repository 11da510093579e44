import Linux
import Wire

/// Questions to workers that have one answer each.
final class WorkerQuestions {
  private let loop: any EventLoop
  private let socket: String
  private let limit: UInt64
  private var running: [UInt64: WorkerClient] = [:]
  private var lastID: UInt64 = 0

  /// - Parameters:
  ///   - socket: the worker's.
  ///   - limit: milliseconds for each.
  init(loop: any EventLoop, socket: String, limit: UInt64) {
    self.loop = loop
    self.socket = socket
    self.limit = limit
  }

  /// - Parameter completion: once, never inside this call; nil when no worker answered.
  func ask(_ request: WorkerRequest, _ completion: @escaping (WorkerReply?) -> Void) {
    lastID += 1
    let id = lastID
    do throws(SystemError) {
      running[id] = try WorkerClient(
        loop: loop, path: socket, limit: limit, request: request
      ) { [weak self] event in
        self?.running[id] = nil
        if case .answer(let reply) = event { completion(reply) } else { completion(nil) }
      }
    } catch {
      loop.after(milliseconds: 0) { completion(nil) }
    }
  }
}
