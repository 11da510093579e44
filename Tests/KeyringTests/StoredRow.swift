/// An item as `whorl list --json` tells of it.
struct StoredRow: Decodable {
  let name: String
  let attributes: [String: String]
  let access: String

  /// Where it was imported from, below the Secret Service.
  var path: String {
    let source = attributes["whorl.source"] ?? ""
    guard let start = source.firstIndex(of: "/"), let end = source.lastIndex(of: "@") else {
      return source
    }
    return String(source[start..<end])
  }
}
