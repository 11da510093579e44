/// What the command line asks for.
struct LintOptions {
  enum Format { case text, json, sarif }

  static let usage =
    "usage: whorl lint [--json|--sarif] [PATH…] | --staged | --stdin --path FILE | "
    + "--install git|ci|editor [--force] | --rules"

  var paths: [[UInt8]] = []
  var format = Format.text
  var isStaged = false
  var isInput = false
  var inputPath: [UInt8]?
  var hook: String?
  var isForced = false
  var listsRules = false

  init(_ words: [[UInt8]]) throws(LintFailure) {
    var words = words[...]
    var endsOptions = false
    while let word = words.popFirst() {
      guard !endsOptions, word.count > 1, word[0] == UInt8(ascii: "-") else {
        paths.append(word)
        continue
      }
      var option = name(word)
      var attached: [UInt8]?
      if let equals = word.firstIndex(of: UInt8(ascii: "=")) {
        option = name(Array(word[..<equals]))
        attached = Array(word[(equals + 1)...])
      }
      switch option {
      case "--": endsOptions = true
      case "--json": format = .json
      case "--sarif": format = .sarif
      case "--staged": isStaged = true
      case "--stdin": isInput = true
      case "--force": isForced = true
      case "--rules": listsRules = true
      case "--path": inputPath = try Self.value(attached, &words, of: option)
      case "--install": hook = name(try Self.value(attached, &words, of: option))
      default: throw .usage("unknown option \(option)")
      }
    }
    let modes = [isStaged, isInput, hook != nil, listsRules].filter { $0 }.count
    guard modes <= 1 else { throw .usage("one of --staged, --stdin, --install and --rules") }
    guard modes == 0 || paths.isEmpty else { throw .usage("paths are not taken here") }
    guard isInput == (inputPath != nil) else { throw .usage("--stdin and --path belong together") }
    guard !isForced || hook != nil else { throw .usage("--force belongs to --install") }
  }

  private static func value(
    _ attached: [UInt8]?, _ words: inout ArraySlice<[UInt8]>, of option: String
  ) throws(LintFailure) -> [UInt8] {
    guard let value = attached ?? words.popFirst() else { throw .usage("\(option) needs a value") }
    return value
  }
}
