import Linux

extension Configuration {
  public static let defaultPath = "/etc/whorl/whorld.conf"

  /// Reads the file. The default one need not be there.
  public init(file path: String) throws {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try File(reading: path).readAll(limit: 64 * 1024) } catch {
      guard error.isMissing, path == Self.defaultPath else { throw error }
      self.init()
      return
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Problem(line: 1, text: "the file is not text")
    }
    try self.init(parsing: text)
  }
}
