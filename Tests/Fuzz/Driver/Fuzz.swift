import Glibc

/// The property that is fuzzed. libFuzzer, whose `main` is linked, takes no argument that begins
/// with two dashes, and gives it to the processes that it starts itself.
nonisolated(unsafe) private var target = FuzzTarget.all[0]

@_cdecl("LLVMFuzzerInitialize")
func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  let option = "--target="
  let names = (1..<max(1, Int(count.pointee))).compactMap { arguments.pointee[$0] }
    .map { String(cString: $0) }.filter { $0.hasPrefix(option) }.map { $0.dropFirst(option.count) }
  guard let named = FuzzTarget.all.first(where: { names == [$0.name[...]] }) else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(names.isEmpty ? 0 : 2)
  }
  target = named
  return 0
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try target.check(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(target.name): \(error)")
  }
  return 0
}
