import Crypto
import Linux
import SecretMemory

/// Stretches application passwords on a thread of its own, one after another: each takes 64 MiB
/// and a tenth of a second or more.
final class PasswordStretcher {
  private struct Job {
    let password: SecretBytes
    let salts: [[UInt8]]
    let completion: ([SecretBytes]?) -> Void
  }

  private let mailbox: LoopMailbox
  private var jobs: [Job] = []
  private var isBusy = false

  init(mailbox: LoopMailbox) {
    self.mailbox = mailbox
  }

  /// - Parameter completion: later, on the loop's thread; nil when there was no memory for it.
  func stretch(
    _ password: SecretBytes, _ salts: [[UInt8]],
    _ completion: @escaping ([SecretBytes]?) -> Void
  ) {
    jobs.append(Job(password: password, salts: salts, completion: completion))
    next()
  }

  private func next() {
    guard !isBusy, !jobs.isEmpty else { return }
    isBusy = true
    let job = jobs.removeFirst()
    let (password, salts, mailbox) = (job.password, job.salts, mailbox)
    // The completion stays on this thread; the job's keys come back by number.
    finish = { [weak self] keys in
      self?.isBusy = false
      // It holds the job, and so the secrets of its request.
      self?.finish = nil
      job.completion(keys)
      self?.next()
    }
    let deliver = Delivery(self)
    do throws(SystemError) {
      try DetachedThread.run {
        var keys: [SecretBytes]? = []
        for salt in salts {
          if let key = try? PasswordHash.derive(password: password, salt: salt) {
            keys?.append(key)
          } else {
            keys = nil
            break
          }
        }
        let result = keys
        mailbox.post { deliver.target?.finish?(result) }
      }
    } catch { finish?(nil) }
  }

  private var finish: (([SecretBytes]?) -> Void)?

  /// Carries the stretcher across the thread without touching it there.
  private final class Delivery: @unchecked Sendable {
    weak var target: PasswordStretcher?
    init(_ target: PasswordStretcher) { self.target = target }
  }
}
