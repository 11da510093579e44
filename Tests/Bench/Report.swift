import Foundation
import Glibc

/// The table, and the raw numbers behind it.
struct Report {
  enum Bound {
    case atMost(Double)
    case atLeast(Double)
    /// Told beside the others.
    case none
  }

  private var raw: [String: [UInt64]] = [:]
  private var rows: [[String: Any]] = []

  func head(_ title: String) {
    print("\n\(title)")
  }

  /// Keeps raw numbers under a name that says their unit.
  mutating func keep(_ name: String, _ numbers: [UInt64]) {
    raw[name] = numbers
  }

  mutating func row(_ what: String, _ value: Double, _ unit: String, _ bound: Bound = .none) {
    let (limit, isGood): (String, Bool?) =
      switch bound {
      case .atMost(let most): ("≤ \(Self.text(most))", value <= most)
      case .atLeast(let least): ("≥ \(Self.text(least))", value >= least)
      case .none: ("", nil)
      }
    let mark = isGood.map { $0 ? "pass" : "SHORT" } ?? ""
    let measured = "\(Self.text(value)) \(unit)"
    print(
      "  \(Self.pad(what, 52)) \(Self.pad(measured, 16)) \(Self.pad(limit, 8)) \(mark)")
    fflush(nil)
    rows.append(["what": what, "value": value, "unit": unit, "bound": limit, "verdict": mark])
  }

  func missing(_ what: String, _ reason: String) {
    print("  \(Self.pad(what, 52)) not measurable here: \(reason)")
  }

  func write(to path: String) throws {
    let data = try JSONSerialization.data(
      withJSONObject: ["rows": rows, "raw": raw], options: [.sortedKeys])
    try data.write(to: URL(fileURLWithPath: path))
    print("\nraw numbers: \(path)")
  }

  private static func text(_ value: Double) -> String {
    value >= 1000 ? String(format: "%.0f", value) : String(format: "%.3g", value)
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
