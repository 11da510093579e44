import Foundation
import Glibc
import Linux
import TestHost

// The benchmark: `whorl-bench OUT.json [PART…]`, as root, in the mount namespace and on the one
// CPU that bench.sh gives it. Everything it starts runs there too, and what is compared runs in
// turn, round by round.

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "pong": PingPong.answer(request: Int(words[1])!, answer: Int(words[2])!)
default: try measure(to: words[0], parts: Set(words.dropFirst()))
}

/// In a function, so that what it started is ended and removed.
func measure(to path: String, parts: Set<String>) throws {
  func wants(_ part: String) -> Bool { parts.isEmpty || parts.contains(part) }
  _ = Hardening.raiseDescriptorLimit()
  let host = try PrivateHost()
  try host.startFingerprints()
  let configuration = ["without-logind = allow", "quota = 1073741824"]
  if wants("size") { try Filling.fill(host, configuration) }
  try host.startDaemon(configuration)
  let root = host.keychain()
  try root.add("bench")
  let keyring = try Keyring(host)
  var report = Report()

  if wants("memory") { try Memory.measure(host, &report) }
  if wants("process") { try WholeProcess.measure(host, keyring, &report) }
  if wants("hot") { try HotReads.measure(host, &report) }
  if wants("size") { try HotReads.measureSize(host, &report) }
  if wants("clients") { try ManyClients.measure(host, keyring, &report) }
  if wants("login") { try Logins.measure(host, &report) }
  if wants("gated") { try GatedReads.measure(host, &report) }
  report.row("whorld's resident memory after all this", Memory.resident(host), "MB")
  try report.write(to: path)
}
