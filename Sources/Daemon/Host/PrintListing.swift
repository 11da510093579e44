import HostAuthentication
import Linux
import Wire

/// Lists a user's enrolled prints for people: the daemon names files, the print reader says what
/// is in them. Where it does not answer, the place of a file names its finger and driver; what it
/// cannot read as a print has no finger.
final class PrintListing {
  /// fprintd's names of fingers, in libfprint's order from 1.
  private static let fingers = [
    "left-thumb", "left-index-finger", "left-middle-finger", "left-ring-finger",
    "left-little-finger", "right-thumb", "right-index-finger", "right-middle-finger",
    "right-ring-finger", "right-little-finger",
  ]

  /// Milliseconds for a whole listing, so that a reader that hangs costs its time once.
  private static let limit: UInt64 = 2000

  private let folder: PrintFolder
  private let describer: PrintDescriber

  init(folder: PrintFolder, describer: PrintDescriber) {
    self.folder = folder
    self.describer = describer
  }

  /// - Parameter completion: once, on the loop.
  func prints(of user: [UInt8], _ completion: @escaping ([HostStatus.Print]) -> Void) {
    describe(
      folder.files(of: user)[...], [], until: BootClock.milliseconds() + Self.limit, completion)
  }

  /// One reader process at a time.
  private func describe(
    _ files: ArraySlice<PrintFile>, _ done: [HostStatus.Print], until deadline: UInt64,
    _ completion: @escaping ([HostStatus.Print]) -> Void
  ) {
    guard let file = files.first else { return completion(done) }
    guard BootClock.milliseconds() < deadline else {
      return completion(done + files.map { Self.print($0, .none) })
    }
    describer.describe(file.content) { [weak self] answer in
      self?.describe(
        files.dropFirst(), done + [Self.print(file, answer)], until: deadline, completion)
    }
  }

  /// What is known of a print without an answer of the reader is its place.
  private static func print(_ file: PrintFile, _ answer: PrintDescriber.Answer) -> HostStatus.Print
  {
    var (finger, driver, isOnDevice) = place(file.path)
    switch answer {
    case .print(let facts):
      if let known = name(Int(facts.finger)) { finger = known }
      driver = Array(facts.driver.utf8)
      isOnDevice = facts.isDeviceStored
    case .notAPrint: (finger, driver) = ([], [])
    case .none: break
    }
    return HostStatus.Print(
      path: file.path, finger: finger, driver: driver, isStoredOnDevice: isOnDevice,
      written: file.written)
  }

  /// Corrects what ended a generation, as far as the file tells now: at the place of a print may
  /// stand what is none.
  ///
  /// - Parameter completion: once, on the loop or at once.
  func check(
    _ change: EnrollmentChange, of user: [UInt8],
    _ completion: @escaping (EnrollmentChange) -> Void
  ) {
    guard change.kind == .enrolled || change.kind == .reenrolled,
      let file = folder.files(of: user).first(where: { $0.path == change.path })
    else { return completion(change) }
    describer.describe(file.content) { answer in
      let isNone = answer == .notAPrint
      completion(
        isNone ? EnrollmentChange(.irregular, path: change.path, time: change.time) : change)
    }
  }

  /// What the place `driver/device/finger` says of a print.
  private static func place(
    _ path: [UInt8]
  ) -> (finger: [UInt8], driver: [UInt8], isOnDevice: Bool) {
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard parts.count == 3, parts[2].count == 1, let digit = parts[2].first,
      let number = Int(String(UnicodeScalar(digit)), radix: 16), let finger = name(number)
    else { return ([], [], false) }
    return (finger, Array(parts[0]), false)
  }

  /// - Parameter number: from 1.
  private static func name(_ number: Int) -> [UInt8]? {
    fingers.indices.contains(number - 1) ? Array(fingers[number - 1].utf8) : nil
  }
}
