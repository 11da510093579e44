import Glibc
import Linux
import WhorlClient
import Wire

// One of the clients of the benchmark, as keyring-client.c is one: `whorl-bench-client SECONDS`
// reads once, says `r`, and when standard input ends reads for so long and prints how often.

let limit = UInt64(CommandLine.arguments[1])! * 1_000_000_000
let keychain = Keychain(groups: [Array("whorl".utf8)])
let item = ItemIdentity(
  ItemName(service: [], account: Array("bench".utf8)), group: Array("whorl".utf8))
_ = try keychain.read(item)
var byte: UInt8 = 0
guard write(1, "r", 1) == 1, read(0, &byte, 1) == 0 else { exit(1) }
var count = 0
let start = BootClock.nanoseconds()
while BootClock.nanoseconds() - start < limit {
  _ = try keychain.read(item)
  count += 1
}
print(count)
