// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// What a status means, in English; never nil.
///
/// - Parameter reserved: ignored, as on Apple's systems.
public func SecCopyErrorMessageString(
  _ status: OSStatus, _ reserved: UnsafeMutableRawPointer?
) -> CFString? {
  StatusText.text(status) as NSString
}

enum StatusText {
  static func text(_ status: OSStatus) -> String {
    if let text = usual[status] { return text }
    return StatusNames.all[status].map(words) ?? "OSStatus \(status)"
  }

  /// Those that this library returns.
  private static let usual: [OSStatus: String] = [
    errSecSuccess: "No error.",
    errSecUnimplemented: "This is not available on this system.",
    errSecDiskFull: "The disk is full.",
    errSecIO: "The keychain service could not read or write its files.",
    errSecParam: "A parameter or a key of the query is not valid.",
    errSecAllocate: "No memory is left.",
    errSecUserCanceled: "The person cancelled.",
    errSecNotAvailable: "The keychain service does not answer.",
    errSecAuthFailed: "The person could not be authenticated.",
    errSecDuplicateItem: "There is such an item already.",
    errSecItemNotFound: "There is no such item.",
    errSecInteractionNotAllowed: "Somebody must be asked, and nobody can be.",
    errSecDecode: "The item is damaged.",
    errSecInternalComponent: "The keychain service failed.",
  ]

  /// “KeyUsageIncorrect” as “Key usage incorrect.”
  private static func words(_ name: Substring) -> String {
    var text = ""
    var previous: Character = "A"
    for character in name {
      let begins = character.isUppercase && !previous.isUppercase
      text += begins ? " " + character.lowercased() : String(character)
      previous = character
    }
    return text + "."
  }
}
