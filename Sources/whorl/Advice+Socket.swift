import WhorlClient

extension Advice {
  /// What to do where the user has named another socket than the system's.
  static func linesOfNamedSocket(_ problem: ConnectionProblem) -> [String] {
    switch problem {
    case .noSocket, .refused:
      ["WHORL_SOCKET names it. Start its server, or unset the variable for the system's service."]
    case .closed, .silent, .malformed:
      ["WHORL_SOCKET names it. What its server writes says more."]
    case .foreignServer, .version, .exhausted: lines(problem)
    }
  }
}
