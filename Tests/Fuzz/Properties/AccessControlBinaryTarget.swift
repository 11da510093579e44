import AccessControl

extension FuzzTarget {
  static let accessControlBinary = FuzzTarget(name: "access-control-binary") { bytes in
    guard let control = try? AccessControl(binary: bytes) else { return }
    try require(control.binary == bytes, "an access control has one binary form")
    let again = try AccessControl(
      text: control.text, accessibility: control.accessibility, reuseLimit: control.reuseLimit)
    try require(again == control, "the text of an access control reads as that control")
    try checkBranches(control)
  }

  static func checkBranches(_ control: AccessControl) throws {
    let branches = control.constraint.branches
    try require(
      (1...4).contains(branches.count) && branches.allSatisfy { $0.count <= 3 },
      "an access control has at most four branches of three factors")
    try require(
      control.isGated || (branches == [[]] && !control.needsApplicationPassword),
      "what is not gated needs nothing")
  }
}
