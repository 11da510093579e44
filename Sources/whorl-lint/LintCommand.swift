import Lint
import Linux
import Product

/// The whole program: arguments in, exit status out. 0 is clean, 1 found something or failed.
enum LintCommand {
  static func run(_ arguments: [[UInt8]]) async -> Int32 {
    do throws(LintFailure) {
      let options = try LintOptions(Array(arguments.dropFirst()))
      if options.listsRules { return try write(TextReport.rules) }
      if let hook = options.hook {
        return try write(try HookInstaller.install(hook, isForced: options.isForced))
      }
      return try report(try await sources(options), options.format)
    } catch {
      BlockingStream.standardError.write("whorl: lint: \(TextReport.shown(error.message))\n")
      if error.isUsage { BlockingStream.standardError.write(LintOptions.usage + "\n") }
      return error.status
    }
  }

  private static func sources(_ options: LintOptions) async throws(LintFailure) -> Inspection {
    if options.isInput {
      let path = options.inputPath ?? []
      let bytes = try input()
      return await Inspection.of([Source(path: path, content: .bytes(bytes))], around: path)
    }
    if options.isStaged {
      return await Inspection.of(try StagedFiles.sources(), around: bytes("."))
    }
    let paths = options.paths.isEmpty ? [bytes(".")] : options.paths
    var sources: [Source] = []
    for path in paths {
      sources += try FileFinder.files(path).map { Source(path: $0, content: .file) }
    }
    return await Inspection.of(sources, around: paths[0])
  }

  private static func input() throws(LintFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while bytes.count <= Source.limit {
      var span = buffer.mutableSpan
      guard let count = BlockingStream.standardInput.read(into: &span) else {
        throw LintFailure(message: "cannot read the standard input")
      }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
    throw LintFailure(message: "the text is over \(Source.limit >> 20) MiB")
  }

  private static func report(
    _ inspection: Inspection, _ format: LintOptions.Format
  ) throws(LintFailure) -> Int32 {
    let findings = inspection.project.findings
    switch format {
    case .json:
      _ = try write(
        JSONReport.text(findings, files: inspection.judged, skipped: inspection.skipped) + "\n")
    case .sarif: _ = try write(SARIFReport.text(findings, version: Product.version) + "\n")
    case .text: _ = try write(TextReport.text(findings))
    }
    for failure in inspection.failures {
      BlockingStream.standardError.write("whorl: lint: \(TextReport.shown(failure.message))\n")
    }
    if format == .text { summarize(inspection, findings.count) }
    return findings.isEmpty && inspection.failures.isEmpty ? 0 : 1
  }

  private static func summarize(_ inspection: Inspection, _ count: Int) {
    var text = "\(inspection.judged) \(inspection.judged == 1 ? "file" : "files"), "
    text += count == 0 ? "nothing found" : "\(count) found"
    if inspection.skipped > 0 { text += "; \(inspection.skipped) skipped, too large or no text" }
    BlockingStream.standardError.write(text + "\n")
  }

  private static func write(_ text: String) throws(LintFailure) -> Int32 {
    guard BlockingStream.standardOutput.write(text) else {
      throw LintFailure(message: "cannot write to the standard output")
    }
    return 0
  }
}
