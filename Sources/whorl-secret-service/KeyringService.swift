import Linux
import SecretMemory
import SecretService
import WhorlClient
import Wire

/// The whole program: one call in, one answer out.
enum KeyringService {
  static func run() -> Int32 {
    guard let call = try? KeyringCall(input()) else { return 1 }
    let answer: KeyringAnswer
    do throws(KeyringError) { answer = try SealedItems(call).run() } catch {
      answer = .problem(KeyringProblem(error))
    }
    return BlockingStream.standardOutput.write(answer.encoded.span) ? 0 : 1
  }

  private static func input() -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while bytes.count <= 2 * Limits.sealed {
      var span = buffer.mutableSpan
      guard let count = BlockingStream(0).read(into: &span), count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes
  }
}

extension KeyringProblem {
  init(_ error: KeyringError) {
    self =
      switch error {
      case .noBus: .noBus
      case .noService: .noService
      case .locked: .locked
      case .gone: .gone
      case .missing: .missing
      case .timedOut: .timedOut
      case .exhausted: .exhausted
      case .failed(let words): .failed(words)
      }
  }
}
