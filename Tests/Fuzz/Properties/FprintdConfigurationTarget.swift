@testable import HostAuthentication

extension FuzzTarget {
  static let fprintdConfiguration = FuzzTarget(name: "fprintd-configuration") { bytes in
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    let keepsFiles = FprintdConfiguration.keepsFiles(text: text)
    for (type, expected) in [("file", true), ("plugin", false)] {
      try require(
        FprintdConfiguration.keepsFiles(text: text + "\n[storage]\ntype=\(type)\n") == expected,
        "the last word holds")
    }
    try require(
      FprintdConfiguration.keepsFiles(text: "# type=plugin\r\n" + text) == keepsFiles,
      "a comment says nothing")
  }
}
