import Foundation
import TestHost

/// Who answers the prompts of a keyring, as system-prompter.py.
struct KeyringPerson {
  let child: Child
  let log: String

  /// `ready`, then a line for each prompt.
  var lines: [String] {
    let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }
}
