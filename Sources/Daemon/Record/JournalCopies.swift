import HostAuthentication
import Linux
import Synchronization
import Systemd
import Wire

/// Copies records to the system journal, half a second late and on a thread of its own: a journal
/// that is slow or hangs holds nobody up.
///
/// The files are the record. In the copy, records that differ in nothing but their time are one
/// entry with their number, and what comes while the journal takes no more is left out.
final class JournalCopies {
  private static let delay: UInt64 = 500
  /// Entries that are sent without waiting for the delay.
  private static let batch = 256
  /// Entries kept while the journal does not take them.
  private static let limit = 4096
  /// The journal's name for this kind of record; `journalctl MESSAGE_ID=…` finds all of them.
  private static let messageID = "5f6b0c6ee7f94d2f9d1d8b8a7c7c1d52"

  private let loop: any EventLoop
  private let sending = Sending()
  private var timer: TimerToken?
  /// The first of each kind in order, and how often it came.
  private var waiting: [AuditRecord] = []
  private var counts: [AuditRecord: Int] = [:]

  private final class Sending: Sendable {
    let isRunning = Atomic(false)
  }

  init(loop: any EventLoop) {
    self.loop = loop
  }

  func add(_ record: AuditRecord) {
    var kind = record
    kind.time = 0
    if let index = counts.index(forKey: kind) {
      counts.values[index] += 1
      return
    }
    guard waiting.count < Self.limit else { return }
    waiting.append(kind)
    counts[kind] = 1
    if waiting.count % Self.batch == 0 { send() }
    if !waiting.isEmpty, timer == nil {
      timer = loop.after(milliseconds: Self.delay) { [weak self] in
        self?.timer = nil
        self?.send()
      }
    }
  }

  /// What waits, to be sent at the end.
  struct Batch: Sendable {
    fileprivate let entries: [(record: AuditRecord, count: Int)]

    /// Takes as long as the journal does.
    func send() {
      for (record, count) in entries { _ = Journal.send(JournalCopies.fields(record, count)) }
    }
  }

  func take() -> Batch {
    defer {
      waiting = []
      counts = [:]
    }
    return Batch(entries: waiting.map { ($0, counts[$0] ?? 1) })
  }

  private func send() {
    guard !sending.isRunning.load(ordering: .acquiring) else {
      timer =
        timer
        ?? loop.after(milliseconds: Self.delay) { [weak self] in
          self?.timer = nil
          self?.send()
        }
      return
    }
    let batch = take()
    guard !batch.entries.isEmpty, Journal.isPresent else { return }
    sending.isRunning.store(true, ordering: .releasing)
    let sending = sending
    do {
      try DetachedThread.run {
        batch.send()
        sending.isRunning.store(false, ordering: .releasing)
      }
    } catch { sending.isRunning.store(false, ordering: .releasing) }
  }

  private static func fields(_ record: AuditRecord, _ count: Int) -> [(name: String, value: String)]
  {
    let outcome = record.failure.map { "\($0)" } ?? "success"
    let item = displayText(record.item)
    let program = displayText(record.program)
    let times = count == 1 ? "" : ", \(count) times"
    return [
      ("MESSAGE", "\(record.action) \(item) by \(program): \(outcome)\(times)"),
      ("MESSAGE_ID", messageID), ("PRIORITY", record.failure == nil ? "6" : "5"),
      ("SYSLOG_IDENTIFIER", "whorld"), ("WHORL_ACTION", "\(record.action)"),
      ("WHORL_ITEM", item), ("WHORL_PROGRAM", program), ("WHORL_OUTCOME", outcome),
      ("WHORL_COUNT", "\(count)"),
      ("WHORL_FACTORS", record.factors.map { "\($0)" }.joined(separator: " ")),
      ("OBJECT_PID", "\(record.process)"), ("OBJECT_UID", "\(record.user)"),
    ]
  }
}
