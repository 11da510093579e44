import Crypto
import Linux
import NameService
import Wire

/// One question and its answer; then the process ends, so no state of a module outlives it.
struct WorkerSession {
  let channel: WorkerChannel

  func serve() {
    guard let request = channel.receive() else {
      channel.send(.failure(.malformed, "unreadable request"))
      return
    }
    switch request {
    case .authenticate(let authentication):
      AuthenticationRun(request: authentication, channel: channel).perform()
    case .passcode:
      channel.send(.failure(.malformed, "a passcode nobody asked for"))
    case .name(let uid):
      answer { () throws(NameService.Failure) in .name(try NameService.name(of: uid)) }
    case .uid(let name):
      answer { () throws(NameService.Failure) in .uid(try NameService.uid(of: name)) }
    case .shadow(let name):
      answer { () throws(NameService.Failure) in
        .passwordState(
          PasswordState(try NameService.password(of: name, today: CalendarClock.daysSince1970())))
      }
    case .passwordMark(let name):
      answer { () throws(NameService.Failure) in
        .passwordMark(try NameService.withPasswordEntry(of: name) { Hash.blake2b($0) } ?? [])
      }
    }
  }

  private func answer(_ look: () throws(NameService.Failure) -> WorkerReply) {
    do throws(NameService.Failure) {
      channel.send(try look())
    } catch {
      channel.send(.failure(.nameService, "errno \(error.code)"))
    }
  }
}

extension PasswordState {
  init(_ password: NameService.Password) {
    self =
      switch password {
      case .unknown: .unknown
      case .usable: .usable
      case .empty: .empty
      case .locked: .locked
      case .disabled: .disabled
      case .expired: .expired
      }
  }
}
