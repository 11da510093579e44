/// What a file is read as.
public enum FileKind: Sendable, Equatable {
  case swift, json, propertyList, environment, shell
  /// What describes an app for Apple's systems: read for the usage description alone.
  case project

  /// - Parameter bytes: the beginning tells a shell script without an ending.
  public init?(path: String, bytes: [UInt8]) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let ending = name.contains(".") ? name.split(separator: ".").last.map(String.init) ?? "" : ""
    switch ending {
    case "swift": self = .swift
    case "json", "jsonc", "json5": self = .json
    case "plist", "xcscheme", "entitlements": self = .propertyList
    case "sh", "bash", "zsh", "ksh", "command", "envrc", "bashrc", "zshrc", "profile",
      "bash_profile",
      "zprofile", "zshenv":
      self = .shell
    case "env": self = .environment
    case "xcconfig": self = .environment
    case "pbxproj": self = .project
    default:
      if name == "contents", path.contains(".xcdatamodel/") {
        self = .propertyList
      } else if name.hasPrefix(".env") {
        self = .environment
      } else if name == "project.yml" {
        self = .project
      } else if ending.isEmpty, Self.isScript(bytes) {
        self = .shell
      } else {
        return nil
      }
    }
  }

  /// Whether the name alone tells that the file is read; others are looked into.
  public static func isKnown(_ path: String) -> Bool { FileKind(path: path, bytes: []) != nil }

  private static func isScript(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: [0x23, 0x21]) else { return false }
    let line = String(decoding: bytes.prefix(80).prefix { $0 != 0x0a }, as: UTF8.self)
    return line.hasSuffix("sh") || line.contains("sh ")
  }
}
