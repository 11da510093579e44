import Foundation
import TestHost

/// What systemd makes of a unit before it starts the program, as far as a test can do the same: the
/// mounts, limits, capabilities and the filter of system calls.
///
/// PrivateTmp is left out, because what the tests use lies in /tmp, as are PrivateUsers and the
/// limits of control groups.
struct Sandbox {
  /// A command that becomes its arguments, in the sandbox.
  let words: [String]

  /// - Parameter writable: the folders that stand for those of the unit's StateDirectory and
  ///   RuntimeDirectory.
  init(_ unit: UnitFile, _ host: PrivateHost, writable: [String] = []) throws {
    let name = (unit.path as NSString).lastPathComponent
    let (filter, loader) = ("\(host.folder)/\(name).filter", "\(host.folder)/filtered")
    try Data(SystemCallFilter(unit, SystemCalls(host)).bytes).write(
      to: URL(fileURLWithPath: filter))
    let source = PrivateHost.repository.appendingPathComponent(
      "Tests/UnitTests/Programs/filtered.c")
    let compiled = try host.run(["/usr/bin/gcc", "-Wall", "-Werror", "-o", loader, source.path])
    guard compiled.status == 0 else { throw PrivateHost.Missing(compiled.error) }
    let script = "\(host.folder)/\(name).sh"
    let lines =
      ["set -e"] + Self.mounts(unit, host.folder, writable) + Self.limits(unit)
      + ["umask \(unit.value("UMask") ?? "0022")"]
      + unit.all("Environment").map { "export \($0)" }
      + ["exec setpriv \(Self.privileges(unit)) \(loader) \(filter) \"$@\"", ""]
    try lines.joined(separator: "\n").write(toFile: script, atomically: false, encoding: .utf8)
    var words = ["/usr/bin/unshare", "--mount", "--propagation", "private"]
    if unit.isOn("PrivateNetwork") { words.append("--net") }
    if unit.isOn("PrivateIPC") { words.append("--ipc") }
    if unit.isOn("ProtectHostname") { words.append("--uts") }
    self.words = words + ["/bin/sh", script]
  }

  private static func mounts(
    _ unit: UnitFile, _ folder: String, _ writable: [String]
  ) -> [String] {
    var lines: [String] = []
    for path in writable {
      lines += ["mkdir -p -m 0700 \(path)", "mount --bind \(path) \(path)"]
    }
    if unit.isOn("PrivateDevices") {
      let devices = "\(folder)/dev"
      lines += ["mkdir -p \(devices)", "mount -t tmpfs -o nosuid,mode=755 dev \(devices)"]
      for name in ["null", "zero", "full", "random", "urandom", "tty"] {
        lines += ["touch \(devices)/\(name)", "mount --bind /dev/\(name) \(devices)/\(name)"]
      }
      lines += [
        "ln -s /run/systemd/journal/dev-log \(devices)/log", "mount --rbind \(devices) /dev",
        "mount -o remount,bind,ro,nosuid,noexec /dev",
      ]
    }
    let kept = writable.map { " | grep -vxF \($0)" }.joined()
    switch unit.value("ProtectSystem") {
    case "strict":
      lines.append(
        """
        for point in $(findmnt -rno TARGET | grep -vE '^/(dev|proc|sys)(/|$)'\(kept)); do
          mount -o remount,bind,ro "$point"
        done
        """)
    case "full":
      for path in ["/usr", "/boot", "/etc"] {
        lines += ["mount --rbind \(path) \(path)", "mount -o remount,bind,ro \(path)"]
      }
    default: break
    }
    if unit.isOn("ProtectHome") {
      for path in ["/home", "/root", "/run/user"] {
        lines.append("[ ! -d \(path) ] || mount -t tmpfs -o ro,mode=000 none \(path)")
      }
    }
    var readOnly: [String] = []
    if unit.isOn("ProtectKernelTunables") { readOnly += ["/proc/sys", "/sys"] }
    if unit.isOn("ProtectControlGroups") { readOnly.append("/sys/fs/cgroup") }
    for path in readOnly {
      lines += ["mount --rbind \(path) \(path)", "mount -o remount,bind,ro \(path)"]
    }
    return lines
  }

  private static func limits(_ unit: UnitFile) -> [String] {
    ["CORE", "MEMLOCK", "NOFILE"].compactMap { name in
      guard let value = unit.value("Limit\(name)") else { return nil }
      let limit = value.hasSuffix("M") ? (Int(value.dropLast()) ?? 0) << 20 : Int(value) ?? 0
      // Where the tests may not raise it, the lower one that they have holds.
      return "prlimit --pid $$ --\(name.lowercased())=\(limit) || [ \(limit) != 0 ]"
    }
  }

  private static func privileges(_ unit: UnitFile) -> String {
    var words = ["--inh-caps=-all", "--ambient-caps=-all"]
    let lists = unit.all("CapabilityBoundingSet")
    let isDenied = lists.first?.hasPrefix("~") == true
    let names = lists.joined(separator: " ").split { " ~".contains($0) }
      .map { (isDenied ? "-" : "+") + $0.dropFirst("CAP_".count).lowercased() }
    if !lists.isEmpty {
      words.append(
        "--bounding-set=" + ((isDenied ? [] : ["-all"]) + names).joined(separator: ","))
    }
    if unit.isOn("NoNewPrivileges") { words.append("--no-new-privs") }
    if unit.isOn("DynamicUser") { words.append("--reuid 65534 --regid 65534 --clear-groups") }
    return words.joined(separator: " ")
  }
}
