import Linux
import Wire

/// Three questions about one uid: its name, the uid of that name, the state of its password.
final class AccountLookup {
  private let loop: any EventLoop
  private let socket: String
  private let uid: UInt32
  private let deadline: UInt64
  private var completion: ((AccountAnswer) -> Void)?
  private var worker: WorkerClient?

  init(
    loop: any EventLoop, socket: String, limit: UInt64, uid: UInt32,
    completion: @escaping (AccountAnswer) -> Void
  ) {
    self.loop = loop
    self.socket = socket
    self.uid = uid
    deadline = BootClock.milliseconds() + limit
    self.completion = completion
  }

  func start() {
    ask(.name(uid: uid)) { [weak self] reply in
      guard case .name(let name) = reply else { return self?.finish(.unavailable) ?? () }
      guard let name, !name.isEmpty else { return self?.finish(.unknown) ?? () }
      self?.checkBack(name)
    }
  }

  private func checkBack(_ name: String) {
    ask(.uid(name: name)) { [weak self] reply in
      guard let self, case .uid(let found) = reply else { return self?.finish(.unavailable) ?? () }
      guard found == uid else { return finish(.unknown) }
      askPassword(name)
    }
  }

  private func askPassword(_ name: String) {
    ask(.shadow(name: name)) { [weak self] reply in
      guard let self, case .passwordState(let state) = reply else {
        return self?.finish(.unavailable) ?? ()
      }
      finish(.known(Account(uid: uid, name: name, password: state)))
    }
  }

  private func ask(_ request: WorkerRequest, _ answer: @escaping (WorkerReply?) -> Void) {
    let now = BootClock.milliseconds()
    do throws(SystemError) {
      worker = try WorkerClient(
        loop: loop, path: socket, limit: deadline > now ? deadline - now : 0, request: request
      ) { event in
        if case .answer(let reply) = event { answer(reply) } else { answer(nil) }
      }
    } catch {
      loop.after(milliseconds: 0) { [self] in finish(.unavailable) }
    }
  }

  private func finish(_ answer: AccountAnswer) {
    let report = completion
    completion = nil
    report?(answer)
  }
}
