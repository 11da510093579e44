import Crypto
import Linux
import SecretMemory

/// Stretches application passwords on a thread of its own, one salt after another: each takes
/// 64 MiB and a tenth of a second or more. Users take turns, so that none waits for more than one
/// salt of each other.
final class PasswordStretcher {
  private final class Job {
    let password: SecretBytes
    var salts: ArraySlice<[UInt8]>
    var keys: [SecretBytes] = []
    let isWanted: () -> Bool
    let completion: ([SecretBytes]?) -> Void

    init(
      _ password: SecretBytes, _ salts: [[UInt8]], _ isWanted: @escaping () -> Bool,
      _ completion: @escaping ([SecretBytes]?) -> Void
    ) {
      self.password = password
      self.salts = salts[...]
      self.isWanted = isWanted
      self.completion = completion
    }
  }

  private let mailbox: LoopMailbox
  /// Each user's, first come first served.
  private var jobs: [UInt32: [Job]] = [:]
  /// Users with jobs, whose turn is next first.
  private var users: [UInt32] = []
  /// Called with the key of the salt that is being stretched; the rest of the job stays here.
  private var finish: ((SecretBytes?) -> Void)?

  init(mailbox: LoopMailbox) {
    self.mailbox = mailbox
  }

  /// - Parameters:
  ///   - isWanted: asked before each salt; what nobody waits for any more is dropped unanswered.
  ///   - completion: later, on the loop's thread; nil when there was no memory for it.
  func stretch(
    _ password: SecretBytes, _ salts: [[UInt8]], for user: UInt32,
    isWanted: @escaping () -> Bool, _ completion: @escaping ([SecretBytes]?) -> Void
  ) {
    if jobs[user] == nil { users.append(user) }
    jobs[user, default: []].append(Job(password, salts, isWanted, completion))
    next()
  }

  private func next() {
    guard finish == nil, let (user, job) = take() else { return }
    guard let salt = job.salts.popFirst() else { return end(job, of: user, job.keys) }
    finish = { [weak self] key in
      guard let self else { return }
      // It holds the job, and so the secrets of its request.
      finish = nil
      if let key { job.keys.append(key) }
      if key == nil || job.salts.isEmpty { end(job, of: user, key.map { _ in job.keys }) }
      next()
    }
    let (password, mailbox, deliver) = (job.password, mailbox, Delivery(self))
    do throws(SystemError) {
      try DetachedThread.run {
        let key = try? PasswordHash.derive(password: password, salt: salt)
        mailbox.post { deliver.target?.finish?(key) }
      }
    } catch { finish?(nil) }
  }

  /// The job whose turn it is.
  private func take() -> (user: UInt32, job: Job)? {
    while !users.isEmpty {
      let user = users.removeFirst()
      jobs[user]?.removeAll { !$0.isWanted() }
      guard let job = jobs[user]?.first else {
        jobs[user] = nil
        continue
      }
      users.append(user)
      return (user, job)
    }
    return nil
  }

  private func end(_ job: Job, of user: UInt32, _ keys: [SecretBytes]?) {
    jobs[user]?.removeAll { $0 === job }
    job.completion(keys)
  }

  /// Carries the stretcher across the thread without touching it there.
  private final class Delivery: @unchecked Sendable {
    weak var target: PasswordStretcher?
    init(_ target: PasswordStretcher) { self.target = target }
  }
}
