import Crypto
import SecretMemory
import Vault

/// The prints that a test enrolls and deletes, as fprintd's folder would show them.
public final class ScriptedEnrollment: EnrollmentSource {
  /// The folder of one user at one moment.
  public struct Prints: Equatable, Sendable {
    struct File: Equatable, Sendable {
      var modified: UInt64
      var content: [UInt8]
    }

    var files: [String: File] = [:]
    var irregular: Set<String> = []

    /// An empty folder.
    public init() {}
  }

  /// Whether prints are kept where they can be seen.
  public var isAvailable = true
  /// Called before each look with its number, from 1: a place to change the prints between two
  /// steps of a request.
  public var beforeLook: ((Int) -> Void)?
  /// How often the prints were looked at.
  public private(set) var looks = 0
  private var users: [String: Prints] = [:]
  /// When files are written, in seconds since 1970: a time before that of ``ScriptedHost``, until
  /// the test gives its clock.
  public var date: () -> UInt64 = { 1_700_000_000 }
  /// Nanoseconds since 1970 of the last file; no two have the same.
  private var clock: UInt64 = 0

  public init(fingers: [Finger] = [], of user: String = "user") {
    for finger in fingers { enroll(finger, of: user) }
  }

  /// Enrolls a finger, or enrolls it again. The same `content` gives a file of the same bytes,
  /// only written later.
  public func enroll(_ finger: Finger, of user: String = "user", content: String = "") {
    putFile(finger.path, of: user, content: finger.path + content)
  }

  public func delete(_ finger: Finger, of user: String = "user") {
    users[user]?.files[finger.path] = nil
  }

  /// Puts any file in the folder, print or not.
  public func putFile(_ path: String, of user: String = "user", content: String = "") {
    clock = max(clock + 1, date() * 1_000_000_000)
    users[user, default: Prints()].files[path] = Prints.File(
      modified: clock, content: Array(content.utf8))
  }

  /// Puts an entry in the folder that is no regular file, such as a symbolic link.
  public func putLink(_ path: String, of user: String = "user") {
    users[user, default: Prints()].irregular.insert(path)
  }

  /// The folder as it is now, to be put back later with ``restore(_:of:)``.
  public func prints(of user: String = "user") -> Prints {
    users[user] ?? Prints()
  }

  /// Puts files back with content and times, as root could from a backup.
  public func restore(_ prints: Prints, of user: String = "user") {
    users[user] = prints
  }

  public func entries(of owner: Owner, contentKey: SecretBytes) -> EnrolledPrints {
    looks += 1
    beforeLook?(looks)
    guard isAvailable else { return .unavailable }
    let prints = users[String(decoding: owner.name, as: UTF8.self)] ?? Prints()
    if let path = prints.irregular.min() { return .irregular(path: Array(path.utf8)) }
    return .entries(
      prints.files.map { name, file in
        PrintEntry(
          path: Array(name.utf8), modified: file.modified,
          contentHash: KeyedHash.hash(file.content, key: contentKey))
      })
  }
}
