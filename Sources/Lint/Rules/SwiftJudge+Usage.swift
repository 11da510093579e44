/// Biometry on Apple's systems, which want to be told what for.
extension SwiftJudge {
  mutating func judgeUsage() {
    facts.targetsApple = targetsApple
    guard !isTest, let call = file.calls.first(where: { $0.name == "LAContext" }),
      file.texts.contains(where: {
        ["evaluatePolicy", "canEvaluatePolicy", "evaluateAccessControl"].contains($0)
      })
    else { return }
    facts.biometry.append(
      Finding(
        rule: .missingUsageDescription, path: file.path, line: file.line(call.chain),
        column: file.lines.column(file.tokens[call.chain].start, in: file.bytes), subject: ""))
  }

  private var targetsApple: Bool {
    file.texts.indices.contains { index in
      switch file.texts[index] {
      case "import":
        ["UIKit", "SwiftUI", "AppKit", "WatchKit", "Cocoa"].contains(file.text(index + 1))
      case "canImport": ["UIKit", "AppKit", "Darwin", "SwiftUI"].contains(file.text(index + 2))
      case "os":
        ["iOS", "macOS", "visionOS", "tvOS", "watchOS"].contains(file.text(index + 2))
          && file.text(index + 1) == "("
      case "#available", "@available": ["iOS", "macOS", "visionOS"].contains(file.text(index + 2))
      case "platforms": file.path.hasSuffix("Package.swift")
      default: false
      }
    }
  }
}
