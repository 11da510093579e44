import Glibc
import TestHost

/// Whole programs, from their start to their end.
enum WholeProcess {
  static func measure(_ host: PrivateHost, _ keyring: Keyring, _ report: inout Report) throws {
    report.head("A whole read, ungated, as a process")
    let credential = encrypt(host)
    let pair = [
      ("true", Program(words: ["/bin/true"])),
      (
        "whorl",
        Program(
          words: [host.command, "read", "bench"], environment: ["WHORL_SOCKET=\(host.socket)"])
      ),
    ]
    // In turn with nothing else: what large programs leave of the caches is theirs to answer for.
    let alone = try times(of: pair, "in turn", &report)
    report.row("/bin/true", Double(alone["true"]!.median) / 1e6, "ms")
    report.row("whorl read", Double(alone["whorl"]!.median) / 1e6, "ms")
    report.row(
      "whorl read to /bin/true", ratio(alone["whorl"]!, to: alone["true"]!), "×", .atMost(1.3))

    var programs = pair
    programs.append(
      (
        "secret-tool",
        Program(
          words: ["/usr/bin/secret-tool", "lookup"] + Keyring.attributes,
          environment: keyring.environment)
      ))
    if case .success(let path) = credential {
      programs.append(
        (
          "systemd-creds",
          Program(words: ["/usr/bin/systemd-creds", "decrypt", "--name=bench", path, "-"])
        ))
    }
    let times = try times(of: programs, "among all", &report)
    let read = times["whorl"]!
    report.row(
      "whorl read to /bin/true, the two below in between", ratio(read, to: times["true"]!), "×")
    report.row(
      "secret-tool lookup to whorl read", ratio(times["secret-tool"]!, to: read), "×",
      .atLeast(10))
    switch credential {
    case .success:
      report.row(
        "systemd-creds decrypt to whorl read", ratio(times["systemd-creds"]!, to: read), "×",
        .atLeast(5))
    case .failure(let reason): report.missing("systemd-creds decrypt", "\(reason)")
    }
  }

  /// Nanoseconds of each program, run one after the other in 300 rounds.
  private static func times(
    of programs: [(String, Program)], _ title: String, _ report: inout Report
  ) throws -> [String: [UInt64]] {
    var times: [String: [UInt64]] = [:]
    for _ in 0..<300 {
      for (name, program) in programs { times[name, default: []].append(try program.time()) }
    }
    for (name, values) in times { report.keep("process \(name) \(title) ns", values) }
    return times
  }

  /// A credential under the host's key, which lies in a folder that bench.sh put over the
  /// machine's.
  private static func encrypt(_ host: PrivateHost) -> Result<String, PrivateHost.Missing> {
    let path = host.folder + "/bench.cred"
    do {
      let creds = "/usr/bin/systemd-creds"
      for (words, input) in [
        ([creds, "setup"], ""),
        ([creds, "encrypt", "--with-key=host", "--name=bench", "-", path], secretText),
        ([creds, "decrypt", "--name=bench", path, "-"], ""),
      ] {
        let result = try host.run(words, input: input)
        guard result.status == 0 else { return .failure(PrivateHost.Missing(result.error)) }
      }
      return .success(path)
    } catch { return .failure(PrivateHost.Missing("\(error)")) }
  }
}
