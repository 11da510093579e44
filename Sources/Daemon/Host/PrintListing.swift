import HostAuthentication
import Wire

/// Lists a user's enrolled prints for people: the daemon names files, the print reader says what
/// is in them. A reader that does not answer leaves the finger unnamed.
final class PrintListing {
  /// fprintd's names of fingers, in libfprint's order from 1.
  private static let fingers = [
    "left-thumb", "left-index-finger", "left-middle-finger", "left-ring-finger",
    "left-little-finger", "right-thumb", "right-index-finger", "right-middle-finger",
    "right-ring-finger", "right-little-finger",
  ]

  private let folder: PrintFolder
  private let describer: PrintDescriber

  init(folder: PrintFolder, describer: PrintDescriber) {
    self.folder = folder
    self.describer = describer
  }

  /// - Parameter completion: once, on the loop.
  func prints(of user: [UInt8], _ completion: @escaping ([HostStatus.Print]) -> Void) {
    describe(folder.files(of: user)[...], [], completion)
  }

  /// One reader process at a time.
  private func describe(
    _ files: ArraySlice<PrintFile>, _ done: [HostStatus.Print],
    _ completion: @escaping ([HostStatus.Print]) -> Void
  ) {
    guard let file = files.first else { return completion(done) }
    describer.describe(file.content) { [weak self] facts in
      let index = Int(facts?.finger ?? 0) - 1
      let finger = Self.fingers.indices.contains(index) ? Self.fingers[index] : ""
      let print = HostStatus.Print(
        path: file.path, finger: Array(finger.utf8), driver: Array((facts?.driver ?? "").utf8),
        isStoredOnDevice: facts?.isDeviceStored ?? false, written: file.written)
      self?.describe(files.dropFirst(), done + [print], completion)
    }
  }
}
