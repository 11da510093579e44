import Glibc

/// The property that is fuzzed, named by the first argument; libFuzzer, whose `main` is linked,
/// takes the others.
nonisolated(unsafe) private var target = FuzzTarget.all[0]

@_cdecl("LLVMFuzzerInitialize")
func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> CInt {
  let name = count.pointee > 1 ? String(cString: arguments.pointee[1]!) : ""
  guard let named = FuzzTarget.all.first(where: { $0.name == name }) else {
    print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
    exit(2)
  }
  target = named
  arguments.pointee[1] = arguments.pointee[0]
  arguments.pointee += 1
  count.pointee -= 1
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
