import Linux

/// The login session that a process stands in, from the scope that logind made for it.
enum LoginSession {
  /// - Returns: empty outside any session.
  static func id(of process: Int32, _ user: UInt32) -> [UInt8] {
    // The whole path: below its own service manager a user may name groups as it likes.
    let path = ProcessFacts.controlGroup(process)?.split(separator: "/") ?? []
    guard path.count == 3, path[0] == "user.slice", path[1] == "user-\(user).slice",
      path[2].hasPrefix("session-"), path[2].hasSuffix(".scope")
    else { return [] }
    return Array(path[2].dropFirst("session-".count).dropLast(".scope".count).utf8)
  }
}
