import WhorlClient
import Wire

/// The published table of exit statuses, from the failures there are.
enum ExitTable {
  static let success = "  0  done"

  static var rows: [(status: Int32, meaning: String)] {
    var rows: [(status: Int32, meaning: String)] = []
    for code in FailureCode.allCases where code.exitStatus != 1 {
      if let index = rows.firstIndex(where: { $0.status == code.exitStatus }) {
        rows[index].meaning += "; " + meaning(of: code)
      } else {
        rows.append((code.exitStatus, meaning(of: code)))
      }
    }
    rows.append((126, "run: the program cannot be executed"))
    rows.append((127, "run: there is no such program"))
    return [(1, "everything else")] + rows.sorted { $0.status < $1.status }
  }

  private static func meaning(of code: FailureCode) -> String {
    let own = Advice.fact(code)
    return code == .locked ? own + "; " + Advice.fact(KeyringProblem.locked) : own
  }

  static var text: String {
    ([success]
      + rows.map { row in
        let number = String(row.status)
        return String(repeating: " ", count: 3 - number.count) + number + "  " + row.meaning
      }).joined(separator: "\n")
      + "\n\nOnce run has started its program, the status is the program's.\n"
  }
}
