import Glibc

/// The filter that systemd makes of a unit, as a program for the kernel.
struct SystemCallFilter {
  /// An instruction of classic BPF.
  private struct Instruction {
    var code: UInt16
    var ifTrue: UInt8 = 0
    var ifFalse: UInt8 = 0
    var value: UInt32
  }

  private static let load: UInt16 = 0x20  // BPF_LD | BPF_W | BPF_ABS
  private static let equal: UInt16 = 0x15  // BPF_JMP | BPF_JEQ | BPF_K
  private static let and: UInt16 = 0x54  // BPF_ALU | BPF_AND | BPF_K
  private static let answer: UInt16 = 0x06  // BPF_RET | BPF_K
  private static let allow: UInt32 = 0x7fff_0000
  private static let kill: UInt32 = 0x8000_0000
  private static let number: UInt32 = 0

  /// Where the low half of an argument lies in `struct seccomp_data`.
  private static func lowPart(ofArgument index: Int) -> UInt32 { 16 + 8 * UInt32(index) }

  private var instructions: [Instruction] = []
  private let calls: SystemCalls

  init(_ unit: UnitFile, _ calls: SystemCalls) throws {
    self.calls = calls
    instructions.append(Instruction(code: Self.load, value: Self.number))
    addDirectives(unit)
    try addFilter(unit)
  }

  /// The bytes of an array of `struct sock_filter`.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for instruction in instructions {
      withUnsafeBytes(of: instruction.code) { bytes += $0 }
      bytes += [instruction.ifTrue, instruction.ifFalse]
      withUnsafeBytes(of: instruction.value) { bytes += $0 }
    }
    return bytes
  }

  private static func failure(_ code: Int32) -> UInt32 { 0x0005_0000 | UInt32(code) }

  /// The directives that look at arguments.
  private mutating func addDirectives(_ unit: UnitFile) {
    if unit.isOn("MemoryDenyWriteExecute") {
      for call in ["mprotect", "pkey_mprotect"] {
        refuse(call, 2, mask: UInt32(PROT_EXEC), UInt32(PROT_EXEC), EPERM)
      }
      let both = UInt32(PROT_WRITE | PROT_EXEC)
      refuse("mmap", 2, mask: both, both, EPERM)
    }
    if unit.isOn("RestrictNamespaces") {
      refuse("clone3", ENOSYS)
      refuse("setns", EPERM)
      for flag: UInt32 in [
        0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000,
      ] {
        refuse("clone", 0, mask: flag, flag, EPERM)
        refuse("unshare", 0, mask: flag, flag, EPERM)
      }
    }
    if unit.isOn("RestrictSUIDSGID") {
      for (call, argument) in [("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("mkdir", 1)] {
        for bit: UInt32 in [0o4000, 0o2000] { refuse(call, argument, mask: bit, bit, EPERM) }
      }
    }
    if unit.isOn("RestrictRealtime") {
      for policy: UInt32 in [1, 2, 6] {
        refuse("sched_setscheduler", 1, mask: .max, policy, EPERM)
      }
    }
    if unit.isOn("LockPersonality") { permit("personality", 0, 0, otherwise: EPERM) }
    if unit.isOn("ProtectKernelLogs") { refuse("syslog", EPERM) }
    if unit.isOn("ProtectHostname") {
      for call in ["sethostname", "setdomainname"] { refuse(call, EPERM) }
    }
    switch unit.words("RestrictAddressFamilies") {
    case []: break
    case ["none"]: refuse("socket", EAFNOSUPPORT)
    case ["AF_UNIX"]: permit("socket", 0, UInt32(AF_UNIX), otherwise: EAFNOSUPPORT)
    case let families: fatalError("\(families) are not understood")
    }
  }

  private mutating func addFilter(_ unit: UnitFile) throws {
    let directives = unit.all("SystemCallFilter")
    let code = unit.value("SystemCallErrorNumber") == "EPERM" ? Self.failure(EPERM) : Self.kill
    let isAllowList = directives.first?.hasPrefix("~") == false
    var listed = isAllowList ? try calls.numbers(of: "@default") : []
    for directive in directives {
      let isDenied = directive.hasPrefix("~")
      for name in directive.drop(while: { $0 == "~" }).split(separator: " ") {
        let numbers = try calls.numbers(of: String(name))
        if isDenied == isAllowList { listed.subtract(numbers) } else { listed.formUnion(numbers) }
      }
    }
    for number in listed.sorted() { answer(number, isAllowList ? Self.allow : code) }
    if isAllowList {
      for number in try calls.numbers(of: "@known").subtracting(listed).sorted() {
        answer(number, code)
      }
      // What systemd does not know yet is not there.
      instructions.append(Instruction(code: Self.answer, value: Self.failure(ENOSYS)))
    } else {
      instructions.append(Instruction(code: Self.answer, value: Self.allow))
    }
  }

  private mutating func answer(_ number: UInt32, _ value: UInt32) {
    instructions.append(Instruction(code: Self.equal, ifFalse: 1, value: number))
    instructions.append(Instruction(code: Self.answer, value: value))
  }

  private mutating func refuse(_ call: String, _ error: Int32) {
    if let number = calls.numbers[call] { answer(number, Self.failure(error)) }
  }

  /// Refuses the call when the bits of `mask` in an argument are `value`.
  private mutating func refuse(
    _ call: String, _ argument: Int, mask: UInt32, _ value: UInt32, _ error: Int32
  ) {
    guard let number = calls.numbers[call] else { return }
    instructions += [
      Instruction(code: Self.equal, ifFalse: 5, value: number),
      Instruction(code: Self.load, value: Self.lowPart(ofArgument: argument)),
      Instruction(code: Self.and, value: mask),
      Instruction(code: Self.equal, ifFalse: 1, value: value),
      Instruction(code: Self.answer, value: Self.failure(error)),
      Instruction(code: Self.load, value: Self.number),
    ]
  }

  /// Refuses the call unless an argument is `value`.
  private mutating func permit(
    _ call: String, _ argument: Int, _ value: UInt32, otherwise error: Int32
  ) {
    guard let number = calls.numbers[call] else { return }
    instructions += [
      Instruction(code: Self.equal, ifFalse: 4, value: number),
      Instruction(code: Self.load, value: Self.lowPart(ofArgument: argument)),
      Instruction(code: Self.equal, ifTrue: 1, value: value),
      Instruction(code: Self.answer, value: Self.failure(error)),
      Instruction(code: Self.load, value: Self.number),
    ]
  }
}
