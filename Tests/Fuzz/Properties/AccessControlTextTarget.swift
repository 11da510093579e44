import AccessControl

extension FuzzTarget {
  static let accessControlText = FuzzTarget(name: "access-control-text") { bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    if let accessibility = try? Accessibility(text: text) {
      try require(
        [accessibility.name, accessibility.rawValue].contains { Array($0.utf8) == bytes },
        "a protection class is named exactly")
    }
    guard let control = try? AccessControl(text: text) else { return }
    try require(
      bytes.allSatisfy { (0x20..<0x7f).contains($0) }, "only printable ASCII is understood")
    try require(
      try AccessControl(text: control.text) == control, "the text form reads as itself")
    try require(
      try AccessControl(binary: control.binary) == control, "the binary form reads as itself")
    try checkBranches(control)
  }
}
