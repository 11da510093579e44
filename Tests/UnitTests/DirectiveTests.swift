import TestHost
import Testing

/// The directives that matter, one by one, and systemd's own judgement of them.
@Suite struct DirectiveTests {
  private func expect(_ unit: String, _ wanted: [(String, String)]) throws {
    let file = try UnitFile(unit)
    for (key, value) in wanted {
      #expect(file.words(key).joined(separator: " ") == value, "\(unit): \(key)")
    }
  }

  /// Ten times the exposure that `systemd-analyze security` may find; a higher one needs a reason.
  @Test(arguments: [
    ("whorld.service", 14), ("whorl-print-reader@.service", 5), ("whorl-pam-worker@.service", 54),
  ])
  func `a service is no more exposed than it must be`(unit: String, limit: Int) throws {
    let result = try PrivateHost().run([
      "/usr/bin/systemd-analyze", "--no-pager", "security", "--offline=yes",
      "--threshold=\(limit)", try UnitFile(unit).path,
    ])
    #expect(result.status == 0, "\(result.output.suffix(200)) \(result.error)")
  }

  private static let common = [
    ("ProtectKernelModules", "yes"), ("ProtectKernelTunables", "yes"),
    ("ProtectKernelLogs", "yes"), ("ProtectControlGroups", "yes"), ("ProtectHostname", "yes"),
    ("LockPersonality", "yes"), ("RestrictNamespaces", "yes"), ("RestrictRealtime", "yes"),
    ("RestrictSUIDSGID", "yes"), ("SystemCallArchitectures", "native"),
    ("SystemCallErrorNumber", "EPERM"), ("UMask", "0077"), ("LimitCORE", "0"),
  ]

  @Test(arguments: UnitFile.services)
  func `every service has what none can do without`(unit: String) throws {
    try expect(unit, Self.common)
  }

  @Test func `whorld is shut in`() throws {
    try expect(
      "whorld.service",
      [
        ("CapabilityBoundingSet", "CAP_IPC_LOCK CAP_SYS_PTRACE"), ("AmbientCapabilities", ""),
        ("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"), ("ProtectHome", "yes"),
        ("PrivateTmp", "yes"), ("PrivateDevices", "yes"), ("PrivateIPC", "yes"),
        ("PrivateMounts", "yes"), ("PrivateNetwork", "yes"), ("IPAddressDeny", "any"),
        ("RestrictAddressFamilies", "AF_UNIX"), ("ProtectClock", "yes"),
        ("MemoryDenyWriteExecute", "yes"), ("RemoveIPC", "yes"),
        ("SystemCallFilter", "@system-service ~@privileged @resources"),
        ("StateDirectoryMode", "0700"), ("RuntimeDirectoryMode", "0700"),
        ("RuntimeDirectoryPreserve", "yes"), ("Environment", "LD_BIND_NOW=1"),
        // These would hide the clients from it.
        ("ProtectProc", ""), ("ProcSubset", ""), ("PrivateUsers", ""), ("User", ""),
        // No other folder may be written to.
        ("ReadWritePaths", ""), ("CacheDirectory", ""), ("LogsDirectory", ""), ("BindPaths", ""),
      ])
  }

  @Test func `the print reader has nothing`() throws {
    try expect(
      "whorl-print-reader@.service",
      [
        ("DynamicUser", "yes"), ("CapabilityBoundingSet", ""), ("NoNewPrivileges", "yes"),
        ("PrivateNetwork", "yes"), ("PrivateDevices", "yes"), ("PrivateTmp", "yes"),
        ("PrivateUsers", "yes"), ("PrivateIPC", "yes"), ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"), ("ProtectProc", "invisible"), ("ProcSubset", "pid"),
        ("ProtectClock", "yes"), ("MemoryDenyWriteExecute", "yes"), ("IPAddressDeny", "any"),
        ("RestrictAddressFamilies", "none"), ("RemoveIPC", "yes"),
        ("SystemCallFilter", "@system-service ~@privileged @resources"), ("MemoryMax", "128M"),
        ("TasksMax", "8"), ("RuntimeMaxSec", "10s"), ("StandardInput", "socket"),
      ])
    // An empty set, not none at all.
    #expect(try UnitFile("whorl-print-reader@.service").all("CapabilityBoundingSet") == [""])
  }

  @Test func `the worker is shut in no further than modules bear`() throws {
    try expect(
      "whorl-pam-worker@.service",
      [
        ("ProtectSystem", "full"), ("NoNewPrivileges", ""), ("ProtectHome", ""),
        ("PrivateTmp", ""), ("PrivateDevices", ""), ("DevicePolicy", ""), ("DeviceAllow", ""),
        ("ProtectClock", ""), ("PrivateNetwork", ""), ("IPAddressDeny", ""),
        ("RestrictAddressFamilies", ""), ("PrivateUsers", ""), ("ProtectProc", ""),
        ("ProcSubset", ""), ("PrivateIPC", ""), ("MemoryDenyWriteExecute", ""), ("User", ""),
        ("RuntimeMaxSec", "1min"), ("StandardInput", "socket"), ("Environment", "LD_BIND_NOW=1"),
      ])
    // What pam_unix, its helpers, audit and directory services need.
    let denied = try UnitFile("whorl-pam-worker@.service").words("CapabilityBoundingSet")
    #expect(denied.filter { $0.hasPrefix("~") }.count == 4)
    for needed in [
      "AUDIT_CONTROL", "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER",
      "IPC_LOCK", "KILL", "NET_BIND_SERVICE", "SETGID", "SETPCAP", "SETUID", "SYS_ADMIN",
      "SYS_RESOURCE",
    ] {
      #expect(!denied.contains { $0.hasSuffix("CAP_\(needed)") }, "\(needed)")
    }
  }

  @Test(arguments: [
    ("whorl.socket", "0666", "0755"), ("whorl-pam-worker.socket", "0600", "0700"),
    ("whorl-print-reader.socket", "0600", "0700"),
  ])
  func `a socket is open to whom it must be`(unit: String, mode: String, folder: String) throws {
    let file = try UnitFile(unit)
    #expect(file.value("SocketMode", "Socket") == mode)
    #expect(file.value("DirectoryMode", "Socket") == folder)
    // A limit would let one user end the service for all.
    #expect(file.value("TriggerLimitIntervalSec", "Socket") == "0")
    #expect(file.value("Accept", "Socket") == (unit == "whorl.socket" ? nil : "yes"))
  }
}
