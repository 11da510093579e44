/// What `whorld --print` prints, so that it is installed from the same tables that are obeyed.
public enum ServiceDocument {
  private static let all: [(name: String, text: @Sendable () -> String)] = [
    ("whorld.8", { ServiceManual.text }), ("whorld.conf.5", { ConfigurationManual.text }),
    ("whorld.conf", { ConfigurationExample.text }),
  ]

  public static var names: [String] { all.map(\.name) }

  /// - Returns: nil when there is no such document.
  public static func text(_ name: String) -> String? {
    all.first { $0.name == name }?.text()
  }
}
