/// Which line of a text, from 1, a byte is in.
struct LineTable: Sendable {
  private let starts: [Int]
  private let count: Int

  init(_ bytes: [UInt8]) {
    var starts = [0]
    for index in bytes.indices where bytes[index] == 0x0a { starts.append(index + 1) }
    self.starts = starts
    count = bytes.count
  }

  func line(_ offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The character in its line, from 1, by code points.
  func column(_ offset: Int, in bytes: [UInt8]) -> Int {
    let count = offset - starts[line(offset) - 1]
    // Nobody counts characters in a line of a machine.
    guard count < 4096 else { return 1 + count }
    return 1
      + bytes[starts[line(offset) - 1]..<offset].reduce(0) { $0 + ($1 & 0xc0 == 0x80 ? 0 : 1) }
  }

  /// The bytes of a line, its end included.
  func range(_ line: Int) -> Range<Int> {
    guard starts.indices.contains(line - 1) else { return count..<count }
    return starts[line - 1]..<(line < starts.count ? starts[line] : count)
  }
}
