import Foundation
import Glibc
import TestHost
import Testing

/// A module that misbehaves where the finger is asked for.
@Suite(.serialized) final class FingerModuleTests {
  let host: PrivateHost

  init() throws {
    host = try PrivateHost.complete(
      ["rearm-delay = 100", "prompt-limit = 1500", "worker-limit = 2500"])
    try host.add("finger", access: "biometryAny")
    try host.add("token")
  }

  private func asked(_ words: String, _ item: String = "finger") throws -> Terminal {
    try host.installHostile(words, service: "whorl-biometry")
    return try host.terminal(["read", item])
  }

  private func refuses(_ words: String, _ reason: String) throws {
    let read = try asked(words)
    #expect(try read.status(seconds: 5) != 0, "\(words): \(read.output)")
    #expect(reason.isEmpty || read.output.contains(reason), "\(words): \(read.output)")
    #expect(!read.output.contains("hunter2"), "\(words): \(read.output)")
  }

  @Test func `a service that says yes without fprintd's match opens nothing`() throws {
    for words in ["auth=0", "do=forge", "do=thread", "do=uid"] {
      try refuses(words, words == "do=thread" ? "" : "fprintd did not tell of the match")
    }
  }

  @Test func `a service that asks for a password gets none, and its answer is no finger's`() throws
  {
    for words in ["do=ask", "do=ask-aloud", "do=ask-twice"] { try refuses(words, "") }
    // The password's own service is asked for it, whatever the finger's does.
    let read = try asked("do=ask", "token")
    try read.expect("The reader takes no further touch; your password still opens.")
    read.type("sesame\n")
    #expect(try read.status() == 0, "\(read.output)")
  }

  @Test func `crashes, hangs, floods and other users are refusals`() throws {
    for (words, reason) in [
      ("do=segv", "whorl-pam-worker crashed"), ("do=exit", "whorl-pam-worker crashed"),
      ("do=user", ""), ("auth=25", ""), ("auth=9", "could not start"), ("account=13", ""),
      ("do=hang", "nobody answered in time"), ("do=talk", "whorl-pam-worker crashed"),
    ] { try refuses(words, reason) }
    let flood = try asked("do=talk", "token")
    try flood.expect("your password still opens.")
    flood.type("sesame\n")
    #expect(try flood.status() == 0, "\(flood.output.suffix(500))")
    #expect(flood.output.split(separator: "\n").count < 600)
  }

  @Test func `texts of a module reach nobody`() throws {
    let read = try asked("do=talk-a-little auth=7")
    #expect(try read.status() == 51, "\(read.output)")
    #expect(!read.output.contains("\u{1b}") && !read.output.contains("31mno"), "\(read.output)")
  }
  @Test func `a module that tells of wrong fingers without end fills no record`() throws {
    try host.add("other", access: "biometryAny")
    try host.installHostile("do=mismatch auth=7", service: "whorl-biometry")
    let run = try host.terminal(["run", "--with", "finger,other", "--", "/bin/true"])
    #expect(try run.status(seconds: 5) != 0, "\(run.output)")
    let log = try host.whorl(["log", "--number", "100"]).output.split(separator: "\n")
    // One for each try that is recorded, and the end of the request for each item.
    let tries = log.filter { $0.hasSuffix(", by finger: it was wrong") }
    #expect(tries.count == 16 && tries.allSatisfy { $0.contains("\"finger\"") }, "\(log)")
    let ends = log.filter { $0.contains("read \"") && !tries.contains($0) }
    #expect(ends.count == 2, "\(log)")
  }
}
