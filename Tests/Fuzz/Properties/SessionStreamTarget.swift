import SecretMemory
import Wire

@testable import Daemon

extension FuzzTarget {
  /// A field of piece lengths, a byte that says when requests are answered, then the stream of a
  /// client, which arrives in those pieces.
  static let sessionStream = FuzzTarget(name: "session-stream") { bytes in
    var choices = Choices(bytes)
    let pieces = choices.field(limit: 16)
    let answers = choices.byte()
    let stream = choices.rest()
    let expected = FrameCut(stream)
    var reader = Cutter()
    for piece in split(stream, into: pieces) { reader.take(Array(piece)) }
    let frames = reader.frames.map(\.piece)
    if let problem = reader.problem {
      try require(
        expected.frames.starts(with: frames), "frames before a problem are those of the stream")
      try require(
        problem != .malformed || (expected.isMalformed && frames == expected.frames),
        "only a frame that is none is malformed")
    } else {
      try require(
        frames == expected.frames && !expected.isMalformed,
        "how a client's stream arrives does not change its frames")
      try require(
        reader.isPartial == (expected.count < stream.count), "a frame has begun or it has not")
    }
    try require(reader.takesInOrder, "memory is taken only for a secret that may come now")
    try checkSession(reader.frames, answers)
  }

  /// Drives the session machine as the daemon does.
  private static func checkSession(_ frames: [FrameReader.Frame], _ answers: UInt8) throws {
    var machine = SessionMachine()
    var isOpen = false
    var isRunning = false
    var waiting: [[UInt8]] = []
    for (index, frame) in frames.enumerated() {
      let action: SessionMachine.Action
      switch frame {
      case .secret(let secret):
        action = machine.receive(secret: secret)
        waiting.append(secret.copied)
      case .message(let message): action = machine.receive(message: message)
      }
      switch action {
      case .refuse: return
      case .accept(let hello):
        try require(!isOpen && hello.version == ClientHello.version, "one hello opens")
        isOpen = true
      case .none: break
      case .begin(_, let secrets):
        try require(isOpen && !isRunning, "one request at a time, after the hello")
        try require(
          secrets.map(\.copied) == waiting && secrets.count <= 2,
          "a request gets the secrets right before it")
        isRunning = true
      case .answer(_, _, let secret):
        try require(isRunning && [secret.copied] == waiting, "an answer is the secret before it")
      case .cancel, .giveUp, .form:
        try require(isRunning, "only a request is cancelled or brought a form")
      case .shown, .invalidate: try require(isOpen, "nothing comes before the hello")
      }
      if case .message = frame { waiting = [] }
      if isRunning, answers >> (index % 8) & 1 == 1 {
        machine.finish()
        isRunning = false
      }
    }
  }
}

/// The daemon's cutting of a stream, in memory that is not scarce but small.
private struct Cutter {
  private var reader = FrameReader()
  private var room = 64 * 1024
  private(set) var frames: [FrameReader.Frame] = []
  private(set) var problem: FrameReader.Problem?
  private(set) var takesInOrder = true

  var isPartial: Bool { reader.isPartial }

  mutating func take(_ bytes: [UInt8]) {
    guard problem == nil else { return }
    var position = 0
    do throws(FrameReader.Problem) {
      while let frame = try next(bytes.span, &position) { frames.append(frame) }
    } catch { problem = error }
  }

  private mutating func next(
    _ span: Span<UInt8>, _ position: inout Int
  ) throws(FrameReader.Problem) -> FrameReader.Frame? {
    var room = room
    let waiting = frames.reversed().prefix { $0.piece.isSecret }.count
    let mayTake = waiting < min(frames.count, SessionMachine.secretLimit)
    defer { self.room = room }
    return try reader.next(span, &position, end: span.count) {
      count throws(FrameReader.Problem) in
      if !mayTake { takesInOrder = false }
      guard count <= room, let secret = try? SecretBytes(count: count) else { throw .busy }
      room -= count
      return secret
    }
  }
}

extension FrameReader.Frame {
  fileprivate var piece: FrameCut.Piece {
    switch self {
    case .message(let message): FrameCut.Piece(isSecret: false, bytes: message)
    case .secret(let secret): FrameCut.Piece(isSecret: true, bytes: secret.copied)
    }
  }
}
