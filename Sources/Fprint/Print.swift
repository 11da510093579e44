import CFprint

/// One stored fingerprint as libfprint reads it; nothing of the template leaves it.
@safe
public struct Print: ~Copyable {
  /// A day of the Gregorian calendar.
  public struct Day: Equatable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int
  }

  private let print: OpaquePointer

  /// Reads the bytes of a print file; `nil` when libfprint does not know them as a print.
  public init?(bytes: [UInt8]) {
    // libfprint asserts that there is more than its magic, and an assertion ends the process.
    guard bytes.count > 3 else { return nil }
    var error: UnsafeMutablePointer<GError>?
    // SAFETY: libfprint copies what it needs of the bytes before it returns.
    let parsed = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe fp_print_deserialize(buffer.baseAddress, gsize(buffer.count), &error)
    }
    if let error = unsafe error { unsafe g_error_free(error) }
    guard let parsed = unsafe parsed else { return nil }
    unsafe print = unsafe parsed
  }

  deinit {
    // SAFETY: the only reference, whether it still floats or not.
    unsafe g_object_unref(UnsafeMutableRawPointer(print))
  }

  /// 1 left thumb … 5 left little, 6 right thumb … 10 right little, 0 unknown.
  public var finger: UInt8 {
    // SAFETY: the print lives as long as the value.
    UInt8(clamping: unsafe fp_print_get_finger(print).rawValue)
  }

  public var driver: String {
    // SAFETY: the print lives as long as the value; the text is copied at once.
    unsafe Self.text(fp_print_get_driver(print))
  }

  public var device: String {
    // SAFETY: as above.
    unsafe Self.text(fp_print_get_device_id(print))
  }

  public var user: String {
    // SAFETY: as above.
    unsafe Self.text(fp_print_get_username(print))
  }

  /// Whether the template lies in the sensor and the file holds only a reference to it.
  public var isDeviceStored: Bool {
    // SAFETY: the print lives as long as the value.
    unsafe fp_print_get_device_stored(print) != 0
  }

  public var enrolled: Day? {
    // SAFETY: the date belongs to the print, which lives for the length of this call.
    guard let date = unsafe fp_print_get_enroll_date(print), unsafe g_date_valid(date) != 0 else {
      return nil
    }
    return Day(
      year: Int(unsafe g_date_get_year(date)), month: Int(unsafe g_date_get_month(date).rawValue),
      day: Int(unsafe g_date_get_day(date)))
  }

  /// Texts are bounded, because they come from a file that nobody vouches for.
  private static func text(_ pointer: UnsafePointer<gchar>?) -> String {
    // SAFETY: the caller passes a string of a living print, or none.
    guard let pointer = unsafe pointer else { return "" }
    let text = unsafe String(cString: pointer)
    return text.utf8.count <= 256 ? text : String(text.unicodeScalars.prefix(64))
  }
}
