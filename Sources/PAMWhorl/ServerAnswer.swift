/// What the daemon says, as far as a module needs to know.
enum ServerAnswer: Equatable {
  case hello(version: UInt32)
  /// Another request is at the head.
  case queued
  case show(prompt: UInt32)
  case armed
  case notice(kind: UInt8)
  case done
  /// So many secrets came before.
  case secrets(count: UInt32)
  case failed(code: UInt8)

  /// - Parameter bytes: a whole message, its type byte first.
  /// - Returns: nil for what no daemon of this version says to a login.
  init?(_ bytes: [UInt8]) {
    var decoder = Decoder(bytes)
    guard let type = try? decoder.uint8() else { return nil }
    switch type {
    case 1:
      guard let version = try? decoder.uint32() else { return nil }
      self = .hello(version: version)
    case 2: self.init(step: &decoder)
    case 3:
      guard let reply = try? decoder.uint8() else { return nil }
      if reply == 1 {
        self = .done
      } else if reply == 2, let count = try? decoder.uint32() {
        self = .secrets(count: count)
      } else {
        return nil
      }
    case 4:
      guard let code = try? decoder.uint8() else { return nil }
      self = .failed(code: code)
    default: return nil
    }
  }

  private init?(step decoder: inout Decoder) {
    guard let step = try? decoder.uint8() else { return nil }
    switch step {
    case 1: self = .queued
    case 2:
      guard let prompt = try? decoder.uint32() else { return nil }
      self = .show(prompt: prompt)
    case 3: self = .armed
    case 4:
      guard (try? decoder.uint32()) != nil, let kind = try? decoder.uint8() else { return nil }
      self = .notice(kind: kind)
    default: return nil
    }
  }
}
