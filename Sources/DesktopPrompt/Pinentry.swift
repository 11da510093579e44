import Linux
import SecretMemory

/// The person's pinentry, which asks for a password in a window of its own.
final class Pinentry {
  enum State: Equatable {
    /// Being told what to ask.
    case starting
    /// It was told all that was known, and shows nothing.
    case ready
    /// The person can see it.
    case asking
    /// What was typed was handed out.
    case idle
    /// It is not there, or cannot show itself.
    case failed
  }

  enum Outcome {
    case typed(SecretBytes)
    /// Enter alone.
    case empty
    case tooLong
    case cancelled
  }

  /// Milliseconds from its start, or from a question that follows another, until it asks or counts as
  /// failed. Less than the service waits for a prompt to be shown.
  private static let patience: Int64 = 1500
  /// The longest line that Assuan takes.
  private static let lineLimit = 1000
  /// The longest password, in bytes.
  private static let limit = 1024
  /// Seconds after which it goes by itself, should nobody end it. A prompt ends before.
  private static let seconds = 120
  /// Codes of libgpg-error: the person cancelled, said no, or did nothing for long.
  private static let refusals: Set<UInt32> = [62, 99, 114, 198]

  private(set) var state = State.starting
  private let helper: HelperProcess
  private var reader: AssuanReader
  /// What is still to be said; each waits for the answer to the one before.
  private var commands: [[UInt8]]
  private var deadline: Int64
  private var typed: SecretBytes?
  private var isTooLong = false

  /// nil when there is none.
  init?() {
    guard let reader = AssuanReader(),
      let helper = try? HelperProcess(Array("pinentry".utf8), leadsGroup: false)
    else { return nil }
    self.reader = reader
    self.helper = helper
    commands =
      Self.options + [Array("SETTITLE Whorl".utf8), Array("SETTIMEOUT \(Self.seconds)".utf8)]
    deadline = SteadyClock.milliseconds() + Self.patience
  }

  /// The encoding. No terminal: one that is named may be another's by now, or nobody's.
  private static var options: [[UInt8]] {
    let names: [StaticString] = ["LC_ALL", "LC_CTYPE", "LANG"]
    let locale = names.first { OwnProcess.environment($0) != nil }
    return OwnProcess.environment(locale ?? "LANG").map {
      [Array("OPTION lc-ctype=".utf8) + escaped($0)]
    } ?? []
  }

  var descriptor: Int32? { state == .failed ? nil : helper.socket.descriptor }

  /// Milliseconds until ``expire()`` is due; nil for never.
  var delay: Int64? {
    state == .starting ? max(0, deadline - SteadyClock.milliseconds()) : nil
  }

  func expire() {
    if state == .starting, SteadyClock.milliseconds() >= deadline { state = .failed }
  }

  /// Asks, and again after something was typed. Not while it asks. It shows nothing before.
  ///
  /// - Parameters: text of our own and what `displayText` made.
  func ask(_ description: String, label: String, problem: String) {
    var lines = ["SETDESC ": description, "SETPROMPT ": label, "SETERROR ": problem]
    if problem.isEmpty { lines["SETERROR "] = nil }
    let more = lines.sorted { $0.key < $1.key }.map {
      Array($0.key.utf8) + Self.escaped(Array($0.value.utf8))
    }
    guard state != .failed, more.allSatisfy({ $0.count < Self.lineLimit }) else {
      state = .failed
      return
    }
    commands += more + [Array("GETPIN".utf8)]
    guard state == .idle || state == .ready else { return }
    // A first question is due by the time that began with the start.
    if state == .idle { deadline = SteadyClock.milliseconds() + Self.patience }
    state = .starting
    say()
  }

  /// Reads what it says.
  func input() -> Outcome? {
    guard reader.fill(from: helper.socket) else {
      state = .failed
      return nil
    }
    while let line = reader.nextLine() {
      switch (line, state) {
      case (.ok, .starting), (.error, .starting): say()
      case (.data(let piece), .asking): append(piece)
      case (.ok, .asking): return finish()
      case (.error(let code), .asking):
        typed = nil
        guard Self.refusals.contains(code) else {
          state = .failed
          return nil
        }
        state = .idle
        return .cancelled
      case (.other, _): break
      case (.invalid, _), (.ok, _), (.error, _), (.data, _):
        state = .failed
        return nil
      }
    }
    return nil
  }

  /// Ends it; one that asks looks at no pipe meanwhile.
  func end() { helper.end(signal: 2, patience: 300) }

  private func say() {
    guard !commands.isEmpty else {
      state = .ready
      return
    }
    let command = commands.removeFirst()
    if commands.isEmpty, command.starts(with: "GETPIN".utf8) { state = .asking }
    let line = command + [UInt8(ascii: "\n")]
    if helper.socket.send(line.span, from: 0) != .moved(line.count) { state = .failed }
  }

  private func append(_ piece: SecretBytes) {
    let before = typed?.count ?? 0
    guard before + piece.count <= Self.limit,
      let whole = try? SecretBytes(count: before + piece.count)
    else {
      isTooLong = true
      return
    }
    whole.withMutableBytes { whole in
      typed?.withBytes { for index in 0..<before { whole[index] = $0[index] } }
      piece.withBytes { for index in 0..<piece.count { whole[before + index] = $0[index] } }
    }
    typed = whole
  }

  private func finish() -> Outcome {
    defer {
      typed = nil
      isTooLong = false
    }
    state = .idle
    if isTooLong { return .tooLong }
    return typed.map { $0.count > 0 ? .typed($0) : .empty } ?? .empty
  }

  /// `%HH` for what would end a line.
  private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
    bytes.flatMap { byte -> [UInt8] in
      guard byte == UInt8(ascii: "%") || byte < 0x20 else { return [byte] }
      let digits = Array(String(byte, radix: 16, uppercase: true).utf8)
      return [UInt8(ascii: "%")] + (digits.count == 1 ? [UInt8(ascii: "0")] : []) + digits
    }
  }
}
